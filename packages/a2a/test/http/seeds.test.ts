import { describe, expect, it } from "vitest";
import { isStreaming } from "../../src/protocol/internal.js";
import type { JsonObject, Operation, RequestOf, UnaryOperation } from "@parley/a2a";
import { agent } from "@parley/a2a/server";
import { codecs } from "@parley/a2a/wire";
import type { Dialect } from "@parley/a2a/wire";
import { loadFixtures } from "../support/files/load-fixtures.js";
import { ask, readEvent, readResult, textMessage } from "../support/clients/dialect-client.js";
import { collect, openEvents } from "../support/clients/event-client.js";
import type { EventStream } from "../support/clients/event-client.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import type { JsonBody, SendOptions } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

interface Fixture {
  readonly name: string;
  readonly source: string;
  readonly http?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly request?: JsonObject;
  readonly createdIn?: Dialect;
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly model: JsonBody;
  readonly answers: readonly {
    readonly as?: "error" | "push";
    readonly model: JsonObject;
    readonly wire: JsonBody;
  }[];
}

const fixtures = loadFixtures<Fixture>("seeds", (path) => !path.includes("/responses/"));

/** Asks once before it is done, so that every task can be continued, canceled and watched. */
const asking = agent({
  name: "Asking",
  description: "Asks once, then is done",
  inputModes: ["*/*"],
  capabilities: { pushNotifications: true },
  extendedCard: (card) => ({ ...card, name: "Asking, extended" }),
  async *run({ ask: question }) {
    yield { artifact: "first", name: "first.txt", text: "one" };
    yield { artifact: "second", data: { two: 2 } };
    await question("Where to?");
    yield { artifact: "first", text: "and more", append: true, lastChunk: true };
  },
});

describe.each(fixtures)("$name ($source)", (fixture) => {
  const { operation, dialect } = fixture;
  const codec = codecs[dialect];

  it("is answered in its own dialect by an agent that has what it asks for", async () => {
    await using server = await openServer({
      agent: asking,
      settings: { extendedCardForAnyone: true },
    });
    const { known, taskId } = await prepare(server.url, fixture);
    const [route, options] = raw(fixture, known);
    if (isStreaming(operation)) {
      using stream = await openEvents(server.url, route, options);
      expect(stream).toMatchObject({ status: 200, headers: eventStreamHeaders });
      const events = await readAll(stream, operation, () => finish(server.url, fixture, taskId));
      expect(events.length).toBeGreaterThan(1);
      for (const { id, data } of events) {
        expect(id === undefined || /^\d+$/.test(id)).toBe(true);
        expectSpelling(fixture, unwrap(fixture, data));
      }
      return;
    }
    const answer = await send(server.url, route, options);
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": mediaType(fixture) } });
    const wire = unwrap(fixture, jsonOf(answer));
    expectSpelling(fixture, wire);
    if (isExact.has(operation)) expect(wire).toEqual(expectedWire(fixture, known, wire));
    if (operation === "getExtendedAgentCard") expect(wire.name).toBe("Asking, extended");
  });

  it("is answered in its own dialect by an agent that has nothing of the kind", async () => {
    await using server = await openServer();
    const [route, options] = raw(fixture, []);
    const expected = emptyHanded(fixture);
    const answer = await send(server.url, route, options);
    const text = answer.text.replaceAll(/^(?:id: .*\n)?data: /gm, "").split("\n\n")[0] ?? "";
    const body = jsonOf({ text });
    if (expected === undefined) {
      expect(answer.status).toBe(200);
      expectSpelling(fixture, unwrap(fixture, body));
      return;
    }
    if (isOverRest(fixture)) {
      expect(codec.decodeHttpError(answer.status, body).code).toBe(expected);
      return;
    }
    expect(answer.status).toBe(200);
    expect(body).toMatchObject({ jsonrpc: "2.0", id: fixture.request?.["id"] });
    expect(codec.decodeJsonRpcError(body.error).code).toBe(expected);
    expect(Array.isArray(body.error.data)).toBe(dialect === "1.0");
  });
});

const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
};

/** Operations whose answer repeats the request, so that it is what the fixture prints. */
const isExact: ReadonlySet<Operation> = new Set<Operation>([
  "createTaskPushNotificationConfig",
  "getTaskPushNotificationConfig",
  "listTaskPushNotificationConfigs",
  "deleteTaskPushNotificationConfig",
]);

type Known = readonly (readonly [printed: string, real: string])[];

/** The request as it is printed, but for the ids of what exists. */
function raw({ http, request }: Fixture, known: Known): [route: string, options: SendOptions] {
  const real = (text: string): string =>
    known.reduce((all, [printed, id]) => all.replaceAll(printed, id), text);
  const headers = { ...http?.headers, "Content-Type": "application/json" };
  return [
    real(`${http?.method ?? "POST"} ${http?.path ?? "/"}`),
    request === undefined
      ? { ...(http?.headers && { headers: http.headers }) }
      : { headers, body: real(JSON.stringify(request)) },
  ];
}

interface Prepared {
  readonly known: Known;
  readonly taskId: string;
}

/** Makes the task that a request names, in the dialect that it is to come from, and its webhook. */
async function prepare(url: string, fixture: Fixture): Promise<Prepared> {
  const { dialect, createdIn = dialect, operation, model, name } = fixture;
  const { message } = model;
  const printed: string = message?.taskId ?? model.taskId ?? model.id ?? "";
  const creates = message !== undefined && dialect === "0.1";
  if (operation === "listTasks") return { known: await prepareList(url, model), taskId: "" };
  if (printed === "" || creates) return { known: [], taskId: printed };
  const creator = createdIn === "0.1+0.3" ? "0.1" : createdIn;
  const isByMessage = name.endsWith("by-message-id");
  const first = textMessage("hello", {
    ...(isByMessage && { messageId: printed }),
    ...(creator === "0.1" && { taskId: printed }),
  });
  const { result } = await ask(url, creator, "sendMessage", first);
  if (result.task === undefined) throw new Error("expected a task");
  const { id, contextId = "" } = result.task;
  const known: [string, string][] = isByMessage ? [] : [[printed, id]];
  if (message?.contextId !== undefined) known.push([message.contextId, contextId]);
  if (/PushNotificationConfig/.test(operation) && !operation.startsWith("create")) {
    const { id: configId, ...config } = configOf(fixture);
    const named = configId === undefined || configId === printed ? {} : { id: configId };
    const request = { ...config, ...named, taskId: id };
    await ask(url, dialect, "createTaskPushNotificationConfig", request);
  }
  return { known, taskId: id };
}

/** Makes tasks in the context that a list is of, and a token for its second page. */
async function prepareList(url: string, model: JsonBody): Promise<Known> {
  const { contextId } = model;
  for (const text of ["one", "two", "three"]) {
    await ask(url, "1.0", "sendMessage", textMessage(text, { contextId }));
  }
  const status = "TASK_STATE_INPUT_REQUIRED";
  const filter = { contextId, status, pageSize: 1 } as const;
  const { result } = await ask(url, "1.0", "listTasks", filter);
  expect(result).toMatchObject({ totalSize: 3, nextPageToken: expect.stringMatching(/./) });
  return [
    [model.pageToken, result.nextPageToken],
    [model.status, status],
  ];
}

/** The configuration that the fixture's answer shows, with what is masked in it. */
function configOf({ answers }: Fixture): RequestOf<"createTaskPushNotificationConfig"> {
  const shown = answers[0]?.model as { configs?: readonly JsonObject[] } | undefined;
  const config = shown?.configs?.[0] ?? shown;
  return { url: "https://client.example/hook", ...config } as never;
}

function expectedWire({ answers, operation }: Fixture, known: Known, wire: JsonBody): unknown {
  const text = known.reduce(
    (all, [printed, id]) => all.replaceAll(`"${printed}"`, `"${id}"`),
    JSON.stringify(answers[0]?.wire ?? null),
  );
  const expected = jsonOf({ text });
  // A 1.0 server names configurations whose creator did not.
  const isNamed = operation === "createTaskPushNotificationConfig" && wire.id !== undefined;
  if (isNamed && expected.url !== undefined) expected.id = wire.id;
  return maskSecrets(operation, expected);
}

/** Secrets are repeated to whoever sets them and to nobody else. */
function maskSecrets(operation: Operation, wire: JsonBody): JsonBody {
  if (operation === "createTaskPushNotificationConfig") return wire;
  const text = JSON.stringify(wire).replaceAll(/,"(?:credentials|token)":"[^"]*"/g, "");
  return jsonOf({ text });
}

/** Every event up to the end of the stream; a subscription's task is brought to its end meanwhile. */
async function readAll(
  stream: EventStream,
  operation: Operation,
  finishTask: () => Promise<unknown>,
): ReturnType<typeof collect> {
  if (operation !== "subscribeToTask") return collect(stream);
  const [events] = await Promise.all([collect(stream), finishTask()]);
  return events;
}

async function finish(url: string, { dialect }: Fixture, taskId: string): Promise<void> {
  const speech = dialect === "0.1+0.3" ? "0.1" : dialect;
  await ask(url, speech, "sendMessage", textMessage("to Tokyo", { taskId }));
}

/** What is read and written again in the dialect has not changed: it is in that dialect's spelling. */
function expectSpelling({ dialect, operation, model }: Fixture, wire: JsonBody): void {
  const codec = codecs[dialect];
  if (isStreaming(operation)) {
    const index = wire.artifact?.index ?? 0;
    const final = (wire.statusUpdate ?? wire).final === true;
    const event = readEvent(dialect, wire);
    expect(codec.encodeEvent(event, { final, artifactIndex: () => index })).toEqual([wire]);
    return;
  }
  const unary: UnaryOperation = operation;
  const result = readResult(dialect, unary, wire);
  const encode = codec.encodeResult[unary] as (result: unknown, request: unknown) => unknown;
  expect(encode(result, model)).toEqual(wire);
}

function unwrap(fixture: Fixture, body: JsonBody): JsonBody {
  if (isOverRest(fixture)) return body;
  expect(body).toMatchObject({ jsonrpc: "2.0", id: fixture.request?.["id"] });
  expect(Object.keys(body)).toEqual(["jsonrpc", "id", "result"]);
  return body.result;
}

function isOverRest({ http, request }: Fixture): boolean {
  return http !== undefined && request?.["jsonrpc"] === undefined;
}

function mediaType(fixture: Fixture): string {
  return isOverRest(fixture) && fixture.dialect === "1.0"
    ? "application/a2a+json"
    : "application/json";
}

/** What an agent without tasks and without an extended card says. */
function emptyHanded({ operation, dialect, model }: Fixture): string | undefined {
  if (operation === "getExtendedAgentCard") return "UNSUPPORTED_OPERATION";
  if (operation === "listTasks") return "INVALID_PARAMS"; // of a page token it never gave
  const { message } = model;
  if (message === undefined) return "TASK_NOT_FOUND";
  return message.taskId === undefined || dialect === "0.1" ? undefined : "TASK_NOT_FOUND";
}
