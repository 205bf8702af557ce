import { describe, expect, it } from "vitest";
import { eventIdExtension } from "../../src/protocol/internal.js";
import { agent } from "@parley/a2a/server";
import type { AgentDefinition } from "@parley/a2a/server";
import { codecs } from "@parley/a2a/wire";
import { verifies } from "../spec/verifies.js";
import { ask, dialectOf, isRest, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { call, jsonOf, rpc, say, sayEarlier, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const speeches: readonly Speech[] = ["0.1", "0.3", "0.3-proto", "0.3-schema", "1.0", "1.0 REST"];

function define(definition: Partial<AgentDefinition>) {
  return agent({
    name: "Defined",
    description: "As a test has it",
    async *run() {
      yield { artifact: "done", text: "done" };
    },
    ...definition,
  });
}

function codeIn(speech: Speech, { status, text }: { status: number; text: string }): string {
  const codec = codecs[dialectOf(speech)];
  const body = jsonOf({ text: text.replace("data: ", "") });
  return isRest(speech)
    ? codec.decodeHttpError(status, body).code
    : codec.decodeJsonRpcError(body.error).code;
}

describe("an agent that does not stream", () => {
  const still = define({ capabilities: { streaming: false } });

  it.each(speeches)("says so in %s, and answers all else", async (speech) => {
    verifies("stream:capability", "subscribe:capability");
    await using server = await openServer({ agent: still });
    const { result } = await ask(server.url, speech, "sendMessage", {
      ...textMessage("hi", speech === "0.1" ? { taskId: "t1" } : {}),
    });
    const id = result.task?.id ?? "";
    const streamed = write(speech, "sendStreamingMessage", textMessage("hi"));
    expect(codeIn(speech, await send(server.url, ...streamed))).toBe("UNSUPPORTED_OPERATION");
    const subscribed = write(speech, "subscribeToTask", { id });
    expect(codeIn(speech, await send(server.url, ...subscribed))).toBe("UNSUPPORTED_OPERATION");
    const { result: tasks } = await ask(server.url, "1.0", "listTasks", {});
    expect(tasks.totalSize).toBe(1);
  });
});

const png = { raw: "aGk=", mediaType: "image/png" };
const unlabelled = { raw: "aGk=", filename: "a.png" };

describe("the media type of a part", () => {
  it.each<readonly [string, readonly string[], object, boolean]>([
    ["text to an agent of text", ["text/plain"], { text: "x" }, true],
    [
      "text of any case and charset",
      ["Text/Plain"],
      { text: "x", mediaType: "TEXT/plain; charset=utf-8" },
      true,
    ],
    ["text labelled `text`", ["text/plain"], { text: "x", mediaType: "text" }, true],
    [
      "markdown to an agent of plain text",
      ["text/plain"],
      { text: "x", mediaType: "text/markdown" },
      false,
    ],
    [
      "markdown to an agent of all text",
      ["text/*"],
      { text: "x", mediaType: "text/markdown" },
      true,
    ],
    ["text to an agent of images", ["image/png"], { text: "x" }, false],
    ["data to an agent of text", ["text/plain"], { data: { a: 1 } }, false],
    ["null as data to an agent of text", ["text/plain"], { data: null }, false],
    ["data to an agent of JSON", ["application/json"], { data: null }, true],
    ["data labelled `data`", ["application/json"], { data: 1, mediaType: "data" }, true],
    ["data labelled `json`", ["application/json"], { data: 1, mediaType: "json" }, true],
    [
      "labelled data to an agent of that",
      ["application/geo+json"],
      { data: {}, mediaType: "application/geo+json" },
      true,
    ],
    ["an image to an agent of that kind", ["image/png"], png, true],
    ["an image to an agent of all images", ["image/*"], png, true],
    ["an image to an agent of everything", ["*/*"], png, true],
    ["an image to an agent of text", ["text/plain"], png, false],
    [
      "an image behind a link",
      ["text/plain"],
      { url: "https://x.example/a.png", mediaType: "image/png" },
      false,
    ],
    [
      "an unlabelled file to an agent of text and data",
      ["text/plain", "application/json"],
      unlabelled,
      false,
    ],
    ["an unlabelled file to an agent of files", ["image/jpeg"], unlabelled, true],
    [
      "a type that is a name of JavaScript's",
      ["text/plain"],
      { raw: "aGk=", mediaType: "constructor" },
      false,
    ],
  ])("%s", async (_, inputModes, part, isTaken) => {
    verifies("security:file-types");
    verifies("send:unsupported-media-type", "stream:unsupported-media-type");
    await using server = await openServer({ agent: define({ inputModes }) });
    for (const method of ["SendMessage", "SendStreamingMessage"]) {
      const params = say("", { parts: [part] });
      const { text } = await send(server.url, "POST /", rpc(method, params));
      expect(text.includes('"code":-32005')).toBe(!isTaken);
      expect(text.includes("CONTENT_TYPE_NOT_SUPPORTED")).toBe(!isTaken);
    }
  });

  it("is taken when one skill takes it", async () => {
    const skills = [{ name: "Read" }, { name: "See", inputModes: ["image/*"] }];
    await using server = await openServer({ agent: define({ skills }) });
    const { result } = await call(server.url, "SendMessage", say("", { parts: [png] }));
    expect(result.task.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("names the part and what would do, and nothing is written", async () => {
    await using server = await openServer({ agent: define({ inputModes: ["text/plain"] }) });
    const params = say("", { parts: [{ text: "see" }, png] });
    const { error } = await call(server.url, "SendMessage", params);
    expect(error.message).toContain(
      "message.parts[1]: this agent accepts text/plain, not image/png",
    );
    const { result } = await call(server.url, "ListTasks", {});
    expect(result.totalSize).toBe(0);
  });

  it.each<readonly [Speech, object]>([
    ["0.1", { type: "file", file: { mimeType: "image/png", bytes: "aGk=" } }],
    ["0.3", { kind: "file", file: { mimeType: "image/png", bytes: "aGk=" } }],
  ])("is looked at in %s too", async (speech, part) => {
    await using server = await openServer({ agent: define({}) });
    const message = { role: "user", messageId: "m1", parts: [part] };
    const method = speech === "0.1" ? "tasks/send" : "message/send";
    const { error } = await call(server.url, method, { id: "t1", message });
    expect(error.code).toBe(-32005);
  });
});

const required = "https://ext.example/must/v1";
const optional = "https://ext.example/may/v1";

describe("extensions", () => {
  const extended = define({
    capabilities: { extensions: [{ uri: required, required: true }, { uri: optional }] },
  });

  it.each(speeches)("that are required are asked for in %s, by every operation", async (speech) => {
    verifies("extension:required-missing", "extension:required-unsupported");
    verifies("binding:parameter-values");
    await using server = await openServer({ agent: extended });
    const others = [`${required}.1, ${optional}`, required.toUpperCase(), optional];
    for (const headers of [{}, ...others.map((uris) => ({ "A2A-Extensions": uris }))]) {
      const sent = write(speech, "sendMessage", textMessage("hi"), headers);
      expect(codeIn(speech, await send(server.url, ...sent))).toBe("EXTENSION_SUPPORT_REQUIRED");
    }
    const got = write(speech === "0.1" ? "0.3" : speech, "getTask", { id: "t" });
    expect((await send(server.url, ...got)).text).toMatch(/EXTENSION_SUPPORT_REQUIRED/);
  });

  it.each([
    ["1.0", "A2A-Extensions", "A2A-Extensions", rpc("SendMessage", say("hi"))],
    [
      "1.0 under the older name",
      "X-A2A-Extensions",
      "A2A-Extensions",
      rpc("SendMessage", say("hi")),
    ],
    ["0.3", "X-A2A-Extensions", "X-A2A-Extensions", rpc("message/send", sayEarlier("hi"))],
    [
      "0.3 under the newer name",
      "A2A-Extensions",
      "X-A2A-Extensions",
      rpc("message/send", sayEarlier("hi")),
    ],
    ["1.0 in a stream", "A2A-Extensions", "A2A-Extensions", rpc("SendStreamingMessage", say("hi"))],
    [
      "0.3 in a stream",
      "X-A2A-Extensions",
      "X-A2A-Extensions",
      rpc("message/stream", sayEarlier("hi")),
    ],
  ])("that are active are named to a caller of %s", async (_, asked, told, options) => {
    verifies("extension:unsupported-ignored", "extension:no-older-version");
    await using server = await openServer({ agent: extended });
    const headers = { [asked]: `${optional},https://unknown.example ,  ${required}, ${optional}` };
    const answer = await send(server.url, "POST /", { ...options, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers[told.toLowerCase()]).toBe(`${optional}, ${required}`);
    const other = told === "A2A-Extensions" ? "x-a2a-extensions" : "a2a-extensions";
    expect(answer.headers).not.toHaveProperty(other);
  });

  it("are listed in the card", async () => {
    verifies("extension:declared");
    await using server = await openServer({ agent: extended });
    const card = jsonOf(await send(server.url, "GET /.well-known/agent-card.json"));
    expect(card.capabilities.extensions).toEqual([
      { uri: required, required: true },
      { uri: optional },
      eventIdExtension,
    ]);
  });

  it("are not spoken of where none is active", async () => {
    await using server = await openServer();
    const headers = { "A2A-Extensions": optional };
    const answer = await send(server.url, "POST /", rpc("SendMessage", say("echo x"), headers));
    expect(answer.headers).not.toHaveProperty("a2a-extensions");
  });
});
