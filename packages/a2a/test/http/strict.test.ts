import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@parley/a2a";
import type { Server } from "@parley/a2a/node";
import { call, jsonOf, rpc, send } from "../support/clients/http-client.js";
import type { JsonBody } from "../support/clients/http-client.js";
import { RawClient, reasonOf } from "../support/clients/raw-grpc-client.js";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";

type Probe = (server: Server) => Promise<unknown>;

interface Row {
  /** Asks a server; the same for both. */
  readonly ask: Probe;
  readonly tolerant: unknown;
  readonly strict: unknown;
}

const text = { kind: "text", text: "echo hi" };
const message = { messageId: "m", role: "user", parts: [text] };
const current = { messageId: "m", role: "ROLE_USER", parts: [{ text: "echo hi" }] };
const proto = { messageId: "m", role: "ROLE_USER", content: [{ text: "echo hi" }] };

function without(members: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
}

const versionError = "VERSION_NOT_SUPPORTED";
const notFound = "METHOD_NOT_FOUND";
const invalid = "INVALID_PARAMS";

const names: Readonly<Record<string, string>> = {
  "-32601": notFound,
  "-32602": invalid,
  "-32009": versionError,
};

/** Whether the answer over JSON-RPC is a result, or which error it is. */
const jsonRpc =
  (method: string, params: object, headers: Record<string, string> = {}): Probe =>
  async ({ url }) => {
    const { result, error } = await call(url, method, params, headers);
    return error === undefined ? spellingOf(result) : names[String(error.code)];
  };

/** The same over REST. */
const rest =
  (route: string, json: object, headers: Record<string, string> = {}): Probe =>
  async ({ url }) => {
    const answer = await send(url, route, { json, headers });
    if (answer.status === 200) return spellingOf(jsonOf(answer));
    if (answer.status === 404) return notFound;
    return answer.text.includes(versionError) ? versionError : answer.status === 400 && invalid;
  };

/** The same over gRPC. */
const grpc =
  (version: "0.3" | "1.0", request: JsonObject): Probe =>
  async ({ grpcAddress = "" }) => {
    const client = new RawClient(grpcAddress);
    try {
      const { error } = await client.call(version, "SendMessage", request);
      return error === undefined ? version : reasonOf(error)?.["reason"];
    } finally {
      client.client.close();
    }
  };

/** The version in whose spelling an answer is. */
function spellingOf(answer: JsonBody): string {
  const shown = JSON.stringify(answer);
  if (shown.includes('"sessionId"')) return "0.1";
  if (shown.includes('"kind"')) return shown.includes('"type"') ? "0.3 and type" : "0.3";
  if (shown.includes('"content"')) return "0.3";
  return "1.0";
}

const version = (named: string) => ({ "A2A-Version": named });
const oldest = {
  id: "t1",
  message: { role: "user", parts: [{ type: "text", text: "echo hi" }] },
};

/** By the first cell of the row. */
const rows: Readonly<Record<string, Row>> = {
  "`GET /.well-known/agent-card.json` that names no version": {
    ask: async ({ url }) => {
      const card = jsonOf(await send(url, "GET /.well-known/agent-card.json"));
      const pure = await send(url, "GET /.well-known/agent-card.json", {
        headers: version("1.0"),
      });
      return JSON.stringify(card) === pure.text ? "1.0" : Object.hasOwn(card, "protocolVersion");
    },
    tolerant: true,
    strict: "1.0",
  },
  "a JSON-RPC method of 1.0 that names no version": {
    ask: jsonRpc("SendMessage", { message: current }),
    tolerant: "1.0",
    strict: versionError,
  },
  "a REST path of 1.0 that names no version": {
    ask: rest("POST /message:send", { message: current }),
    tolerant: "1.0",
    strict: versionError,
  },
  "a gRPC method of 1.0 that names no version": {
    ask: grpc("1.0", { message: current }),
    tolerant: "1.0",
    strict: versionError,
  },
  "a method of 0.1 that names no version": {
    ask: jsonRpc("tasks/send", oldest),
    tolerant: "0.1",
    strict: notFound,
  },
  "a method of 0.1 that names 0.3": {
    ask: jsonRpc("tasks/send", { ...oldest, id: "t5" }, version("0.3")),
    tolerant: "0.1",
    strict: notFound,
  },
  "a method of 0.3 that names 0.1": {
    ask: jsonRpc("message/send", { message }, version("0.1")),
    tolerant: "0.3",
    strict: notFound,
  },
  "`tasks/get` of a task of 0.1, naming no version": {
    ask: async (server) => {
      await call(server.url, "tasks/send", { ...oldest, id: "t2" }, version("0.1"));
      return jsonRpc("tasks/get", { id: "t2" })(server);
    },
    tolerant: "0.1",
    strict: "0.3",
  },
  "a message without `messageId` over JSON-RPC": {
    ask: jsonRpc("message/send", { message: without(message, "messageId") }),
    tolerant: "0.3",
    strict: invalid,
  },
  "a message without `messageId` over REST": {
    ask: rest("POST /v1/message:send", { message: without(proto, "messageId") }),
    tolerant: "0.3",
    strict: invalid,
  },
  "a message without `messageId` over gRPC": {
    ask: grpc("0.3", { message: without(proto, "messageId") }),
    tolerant: "0.3",
    strict: invalid,
  },
  "the `messageId` beside the message": {
    ask: jsonRpc("message/send", { messageId: "m", message: without(message, "messageId") }),
    tolerant: "0.3",
    strict: invalid,
  },
  "a message without `role`": {
    ask: jsonRpc("message/send", { message: without(message, "role") }),
    tolerant: "0.3",
    strict: invalid,
  },
  "the role `user` over JSON-RPC": {
    ask: jsonRpc("SendMessage", { message: { ...current, role: "user" } }, version("1.0")),
    tolerant: "1.0",
    strict: invalid,
  },
  "the role `user` over REST": {
    ask: rest("POST /message:send", { message: { ...current, role: "user" } }, version("1.0")),
    tolerant: "1.0",
    strict: invalid,
  },
  "the role `ROLE_USER` over JSON-RPC": {
    ask: jsonRpc("message/send", { message: { ...message, role: "ROLE_USER" } }),
    tolerant: "0.3",
    strict: invalid,
  },
  "parts with `type` in place of `kind`": {
    ask: jsonRpc("message/send", {
      message: { ...message, parts: [{ type: "text", text: "hi" }] },
    }),
    tolerant: "0.3 and type",
    strict: invalid,
  },
  "parts with `kind` in place of `type`": {
    ask: jsonRpc(
      "tasks/send",
      { id: "t3", message: { role: "user", parts: [text] } },
      version("0.1"),
    ),
    tolerant: "0.1",
    strict: invalid,
  },
  "parts without `kind`": {
    ask: jsonRpc("message/send", { message: { ...message, parts: [{ text: "hi" }] } }),
    tolerant: "0.3",
    strict: invalid,
  },
  "a JSON-RPC method by the name of a draft, such as `tasks/list`": {
    ask: async ({ url }) =>
      Promise.all(
        ["tasks/list", "tasks/subscribe", "agent/authenticatedExtendedCard"].map(async (method) => {
          const { text: body } = await send(url, "POST /", rpc(method, { id: "none" }));
          return body.includes("-32601") ? notFound : "known";
        }),
      ),
    tolerant: ["known", "known", "known"],
    strict: [notFound, notFound, notFound],
  },
  "a JSON-RPC method by its name in the release candidate": {
    ask: async ({ url }) => {
      const method = "ListTaskPushNotificationConfig";
      const { error } = await call(url, method, { taskId: "none" }, version("1.0"));
      return error.code === -32601 ? notFound : "known";
    },
    tolerant: "known",
    strict: notFound,
  },
  "the path `POST /tasks/list` of a draft": {
    ask: rest("POST /tasks/list", {}, version("1.0")),
    tolerant: "1.0",
    strict: notFound,
  },
};

const page = readFileSync(new URL("../../../../docs/strict.md", import.meta.url), "utf8");
const documented = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:-|what a caller)/.test(line))
  .map((line) => line.split("|")[1]?.trim());

let tolerant: Server;
let strict: Server;

beforeAll(async () => {
  tolerant = await openServer({ grpc: { port: 0 } });
  strict = await openServer({ grpc: { port: 0 }, strict: true });
});

afterAll(async () => {
  await tolerant.close();
  await strict.close();
});

it("the page has a row for each difference", () => {
  expect(documented).toEqual(Object.keys(rows));
});

describe.each(Object.entries(rows))("%s", (_, row) => {
  it("is understood by a tolerant server", async () => {
    expect(await row.ask(tolerant)).toEqual(row.tolerant);
  });

  it("is taken by the letter by a strict server", async () => {
    verifies("version:absent");
    expect(await row.ask(strict)).toEqual(row.strict);
  });
});

describe("a strict server", () => {
  it.each<[string, Probe, string]>([
    ["1.0 over JSON-RPC", jsonRpc("SendMessage", { message: current }, version("1.0")), "1.0"],
    ["1.0 over REST", rest("POST /message:send", { message: current }, version("1.0")), "1.0"],
    ["0.3 over JSON-RPC", jsonRpc("message/send", { message }), "0.3"],
    ["0.3 over REST", rest("POST /v1/message:send", { message: proto }), "0.3"],
    ["0.3 over gRPC", grpc("0.3", { message: proto }), "0.3"],
    ["0.1", jsonRpc("tasks/send", { ...oldest, id: "t4" }, version("0.1")), "0.1"],
  ])("answers what %s defines", async (_, ask, expected) => {
    expect(await ask(strict)).toBe(expected);
  });
});
