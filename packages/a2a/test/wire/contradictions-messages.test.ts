import { describe, expect, it } from "vitest";
import type { JsonObject, Message } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import {
  detectMethod,
  detectPath,
  dialects,
  printEvent,
  readEvent,
  readRequest,
  refusal,
} from "./read.js";

const text = { kind: "text", text: "hi" };

/** Parameters of a send in 0.2 and 0.3, with one message. */
function send(message: JsonObject, rest: JsonObject = {}): JsonObject {
  return { message: { role: "user", messageId: "m1", parts: [text], ...message }, ...rest };
}

function readParts(dialect: Dialect, parts: readonly JsonObject[]): unknown {
  const role = dialect === "1.0" ? "ROLE_USER" : "user";
  const message = { role, messageId: "m1", parts };
  return readRequest(dialect, "sendMessage", { id: "t1", message }).message.parts;
}

describe("C8 key of a part", () => {
  it.each<[string, JsonObject]>([
    ["kind", { kind: "text", text: "hi" }],
    ["type", { type: "text", text: "hi" }],
    ["nothing", { text: "hi" }],
  ])("may be %s when it is read", (_, part) => {
    for (const dialect of dialects) expect(readParts(dialect, [part])).toEqual([{ text: "hi" }]);
  });

  it.each<[Dialect, readonly string[]]>([
    ["0.1", ["type"]],
    ["0.1+0.3", ["kind", "type"]],
    ["0.3", ["kind"]],
    ["0.3+type", ["kind", "type"]],
    ["0.3-schema", ["kind"]],
    ["0.3-proto", []],
    ["1.0", []],
  ])("is in %s one of %j when it is written", (dialect, keys) => {
    const artifact = {
      artifactId: "a",
      parts: [{ text: "hi" }, { data: { n: 1 } }, { raw: "aGk=" }],
    };
    const task = {
      id: "t",
      status: { state: "TASK_STATE_COMPLETED" as const },
      artifacts: [artifact],
    };
    const printed = codecs[dialect].encodeResult.getTask(task, { id: "t" }) as never as {
      artifacts: { parts: JsonObject[] }[];
    };
    const kinds = ["text", "data", "file"];
    const found = printed.artifacts[0]?.parts.map(({ kind, type }) => ({ kind, type }));
    expect(found).toEqual(
      kinds.map((kind) => ({
        kind: keys.includes("kind") ? kind : undefined,
        type: keys.includes("type") ? kind : undefined,
      })),
    );
  });

  it.each<[string, readonly JsonObject[], Dialect]>([
    ["type alone", [{ type: "text", text: "a" }], "0.3+type"],
    ["kind alone", [{ kind: "text", text: "a" }], "0.3"],
    ["both", [{ kind: "text", type: "text", text: "a" }], "0.3"],
    ["neither", [{ text: "a" }], "0.3"],
    ["type in one part and kind in another", [{ type: "text", text: "a" }, text], "0.3"],
  ])("decides how the caller is answered: %s", (_, parts, dialect) => {
    const params = send({ parts: parts as never });
    expect(detectMethod("message/send", { params }).dialect).toBe(dialect);
  });
});

describe("C9 id of a message", () => {
  it.each<[string, JsonObject, string]>([
    ["is kept", send({ messageId: "m1" }), "m1"],
    ["is made up when it is missing", { message: { role: "user", parts: [text] } }, "generated"],
    ["is made up when it is null", send({ messageId: null }), "generated"],
    ["is made up when it is empty", send({ messageId: "" }), "generated"],
    ["is made up when it is blank", send({ messageId: " \t" }), "generated"],
    ["is found beside the message", send({ messageId: "" }, { messageId: "m2" }), "m2"],
    ["is not replaced by one beside it", send({}, { messageId: "m2" }), "m1"],
    ["is made up when both are empty", send({ messageId: "" }, { messageId: "" }), "generated"],
  ])("%s up to 0.3", (_, params, expected) => {
    for (const dialect of ["0.3", "0.3+type", "0.3-schema", "0.1+0.3"] as const) {
      expect(readRequest(dialect, "sendMessage", params).message.messageId).toBe(expected);
    }
  });

  it("is made up in 0.1, where messages have none", () => {
    const params = { id: "t1", message: { role: "user", parts: [{ type: "text", text: "hi" }] } };
    expect(readRequest("0.1", "sendMessage", params).message.messageId).toBe("generated");
  });

  it.each<[string, JsonObject]>([
    ["missing", {}],
    ["null", { messageId: null }],
    ["empty", { messageId: "" }],
    ["blank", { messageId: " " }],
  ])("is demanded by 1.0 when it is %s", (_, id) => {
    verifies("message:id-required");
    const message = { role: "ROLE_USER", parts: [{ text: "hi" }], ...id };
    const error = refusal(() =>
      readRequest("1.0", "sendMessage", { message, messageId: "beside" }),
    );
    expect(codecs["1.0"].encodeJsonRpcError(error)).toMatchObject({
      code: -32602,
      data: [
        { reason: "INVALID_PARAMS" },
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "message.messageId" }],
        },
      ],
    });
  });
});

describe("C10 owner of a task's id", () => {
  it("is the client in 0.1", () => {
    const params = { id: "mine", message: { role: "user", parts: [{ type: "text", text: "hi" }] } };
    expect(readRequest("0.1", "sendMessage", params).message.taskId).toBe("mine");
  });

  it.each<[Dialect, string]>([
    ["0.3", "user"],
    ["0.3-proto", "ROLE_USER"],
    ["1.0", "ROLE_USER"],
  ])("is the server in %s, where an id beside the message means nothing", (dialect, role) => {
    const params = { id: "mine", ...send({ role }) };
    expect(readRequest(dialect, "sendMessage", params).message).not.toHaveProperty("taskId");
  });
});

describe("C11 grouping of tasks", () => {
  const oldMessage = { role: "user", parts: [{ type: "text", text: "hi" }] };
  const task = {
    id: "t1",
    contextId: "c1",
    status: { state: "TASK_STATE_WORKING" as const },
  };

  it("reads the session of 0.1 as the context", () => {
    const params = { id: "t1", sessionId: "c1", message: oldMessage };
    expect(readRequest("0.1", "sendMessage", params).message.contextId).toBe("c1");
  });

  it("refuses a session and a context that differ", () => {
    const message = { ...oldMessage, contextId: "c2" };
    const params = { id: "t1", sessionId: "c1", message };
    const error = refusal(() => readRequest("0.1", "sendMessage", params));
    expect(codecs["0.1"].encodeJsonRpcError(error)).toMatchObject({
      code: -32602,
      data: { fieldViolations: [{ field: "sessionId" }] },
    });
  });

  it.each<[Dialect, JsonObject]>([
    ["0.1", { sessionId: "c1" }],
    ["0.1+0.3", { contextId: "c1", sessionId: "c1" }],
    ["0.3", { contextId: "c1" }],
    ["0.3-proto", { contextId: "c1" }],
    ["1.0", { contextId: "c1" }],
  ])("is written in %s as %j", (dialect, expected) => {
    const printed = codecs[dialect].encodeResult.getTask(task, { id: "t1" }) as JsonObject;
    const { contextId, sessionId } = printed;
    expect({ contextId, sessionId }).toEqual(expected);
  });
});

describe("C25 blocking", () => {
  it.each<[Dialect, JsonObject | undefined, boolean]>([
    ["0.1", undefined, false],
    ["0.3", undefined, false],
    ["0.3", {}, false],
    ["0.3", { blocking: true }, false],
    ["0.3", { blocking: false }, true],
    ["0.3+type", {}, false],
    ["0.3-schema", {}, false],
    ["0.3-schema", { blocking: false }, true],
    ["0.3-proto", undefined, false],
    ["0.3-proto", {}, true],
    ["0.3-proto", { blocking: false }, true],
    ["0.3-proto", { blocking: true }, false],
    ["1.0", undefined, false],
    ["1.0", {}, false],
    ["1.0", { returnImmediately: false }, false],
    ["1.0", { returnImmediately: true }, true],
    ["1.0", { blocking: true }, false],
    ["1.0", { blocking: false }, true],
    ["1.0", { returnImmediately: true, blocking: true }, true],
    ["1.0", { returnImmediately: false, blocking: false }, false],
  ])("of %s with configuration %j returns immediately: %s", (dialect, configuration, expected) => {
    const role = dialect === "1.0" ? "ROLE_USER" : "user";
    const params = {
      id: "t1",
      ...send({ role }),
      ...(configuration !== undefined && { configuration }),
    };
    const read = readRequest(dialect, "sendMessage", params);
    expect(read.configuration?.returnImmediately ?? false).toBe(expected);
  });
});

describe("C33 link to a file", () => {
  const link = "https://files.example/a";

  it.each<[string, JsonObject]>([
    ["uri", { uri: link }],
    ["url", { url: link }],
    ["fileWithUri", { fileWithUri: link }],
  ])("is read from %s, with or without a media type", (_, file) => {
    for (const dialect of dialects) {
      expect(readParts(dialect, [{ kind: "file", file }])).toEqual([{ url: link }]);
      const typed = { kind: "file", file: { ...file, mimeType: "image/png" } };
      expect(readParts(dialect, [typed])).toEqual([{ url: link, mediaType: "image/png" }]);
    }
  });

  it.each<[string, JsonObject]>([
    ["bytes", { bytes: "aGk=" }],
    ["data", { data: "aGk=" }],
    ["fileWithBytes", { fileWithBytes: "aGk=" }],
  ])("has its counterpart in %s", (_, file) => {
    for (const dialect of dialects) {
      expect(readParts(dialect, [{ kind: "file", file }])).toEqual([{ raw: "aGk=" }]);
    }
  });

  it.each<[Dialect, JsonObject]>([
    ["0.1", { type: "file", file: { uri: link } }],
    ["0.3", { kind: "file", file: { uri: link } }],
    ["0.3-proto", { file: { fileWithUri: link } }],
    ["1.0", { url: link }],
  ])("is written in %s as %j", (dialect, part) => {
    const reply = { messageId: "m", role: "ROLE_AGENT", parts: [{ url: link }] } as const;
    const status = { state: "TASK_STATE_WORKING", message: reply } as const;
    const printed = codecs[dialect].encodeResult.getTask({ id: "t", status }, { id: "t" });
    const member = dialect === "0.3-proto" ? "content" : "parts";
    expect(printed).toMatchObject({ status: { message: { [member]: [part] } } });
  });
});

describe("C36 reach of an extension", () => {
  const uri = "https://ext.example/v1";

  it.each<[Dialect, JsonObject]>([
    ["0.1", { type: "video", video: {} }],
    ["0.3", { kind: "video", video: {} }],
    ["0.3-proto", { video: {} }],
    ["1.0", { video: {} }],
  ])("does not go as far as new kinds of part in %s", (dialect, part) => {
    const error = refusal(() => readParts(dialect, [part]));
    expect(error.code).toBe("INVALID_PARAMS");
    expect(error.details.fieldViolations?.[0]?.field).toMatch(/^message\.(parts|content)\[0\]/);
  });

  it.each(dialects)("does not go as far as new states in %s: they are unspecified", (dialect) => {
    const paused = { id: "t", status: { state: "paused" } };
    const event = readEvent(dialect, dialect === "0.1" ? paused : { task: paused });
    const { status } = event.task ?? event.statusUpdate ?? {};
    expect(status).toEqual({ state: "TASK_STATE_UNSPECIFIED" });
  });

  it.each<Dialect>(["0.3", "0.3+type", "0.3-schema", "0.3-proto", "1.0"])(
    "includes the metadata of a message and the list of what is in it in %s",
    (dialect) => {
      const message: Message = {
        messageId: "m",
        role: "ROLE_AGENT",
        parts: [{ text: "hi", metadata: { [uri]: { depth: 1 } } }],
        extensions: [uri],
        metadata: { [uri]: { state: "paused" } },
      };
      const [printed] = printEvent(dialect, { message });
      expect(readEvent(dialect, printed)).toEqual({ message });
    },
  );
});

describe("C41 history length of 0", () => {
  it.each<Dialect>(["0.1", "0.1+0.3", "0.3", "0.3-schema", "0.3-proto", "1.0"])(
    "is none in %s, not a matter of taste",
    (dialect) => {
      const params = { id: "t1", historyLength: 0 };
      expect(readRequest(dialect, "getTask", params)).toEqual(params);
    },
  );

  it.each(["GET /tasks/t1?historyLength=0", "GET /v1/tasks/t1?history_length=0"])(
    "is none in %s",
    (route) => {
      const { dialect, operation, params } = detectPath(route);
      expect(readRequest(dialect, operation, params)).toEqual({ id: "t1", historyLength: 0 });
    },
  );

  it.each(dialects)("is the least there is in %s", (dialect) => {
    verifies("task:history-negative");
    for (const historyLength of [-1, 1.5, "some"]) {
      const error = refusal(() => readRequest(dialect, "getTask", { id: "t1", historyLength }));
      expect(codecs[dialect].encodeJsonRpcError(error).code).toBe(-32602);
    }
  });
});
