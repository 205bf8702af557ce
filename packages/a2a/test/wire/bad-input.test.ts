import { afterAll, describe, expect, it } from "vitest";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { parseJson } from "../../src/wire/detect/parse-json.js";
import { verifies } from "../spec/verifies.js";
import { violation } from "../support/violation.js";
import type { Violation } from "../support/violation.js";
import { clientCursor, dialects, serverCursor } from "./exchange.js";

type Members = Readonly<Record<string, unknown>>;

/** How a dialect writes what the tests put wrong values into, and where it then lies. */
interface Form {
  readonly parts: "parts" | "content";
  readonly role: string;
  readonly text: (text: unknown) => Members;
  readonly bytes: (bytes: unknown) => Members;
  readonly link: (url: unknown) => Members;
  readonly data: (data: unknown) => Members;
  /** Where those are inside the part. */
  readonly at: { readonly bytes: string; readonly link: string; readonly data: string };
}

function keyed(key: "kind" | "type"): Form {
  return {
    parts: "parts",
    role: "user",
    text: (text) => ({ [key]: "text", text }),
    bytes: (bytes) => ({ [key]: "file", file: { bytes } }),
    link: (uri) => ({ [key]: "file", file: { uri } }),
    data: (data) => ({ [key]: "data", data }),
    at: { bytes: "file.bytes", link: "file.uri", data: "data" },
  };
}

const forms: Readonly<Record<Dialect, Form>> = {
  "0.1": keyed("type"),
  "0.1+0.3": keyed("kind"),
  "0.3": keyed("kind"),
  "0.3+type": keyed("type"),
  "0.3-schema": keyed("kind"),
  "0.3-proto": {
    parts: "content",
    role: "ROLE_USER",
    text: (text) => ({ text }),
    bytes: (fileWithBytes) => ({ file: { fileWithBytes } }),
    link: (fileWithUri) => ({ file: { fileWithUri } }),
    data: (data) => ({ data: { data } }),
    at: { bytes: "file.fileWithBytes", link: "file.fileWithUri", data: "data.data" },
  },
  "1.0": {
    parts: "parts",
    role: "ROLE_USER",
    text: (text) => ({ text }),
    bytes: (raw) => ({ raw }),
    link: (url) => ({ url }),
    data: (data) => ({ data }),
    at: { bytes: "raw", link: "url", data: "data" },
  },
};

const json = (text: string): unknown => JSON.parse(text) as unknown;
const nested = (depth: number, open: string, close: string): unknown =>
  json(`${open.repeat(depth)}0${close.repeat(depth)}`);

describe.each(dialects)("a send in dialect %s", (dialect) => {
  const form = forms[dialect];
  const isOldest = dialect === "0.1";

  const read = (params: unknown) =>
    codecs[dialect].decodeRequest.sendMessage(params, serverCursor());
  const paramsWith = (members: Members, message: Members = {}): unknown => ({
    ...(isOldest && { id: "t1" }),
    message: {
      ...(!isOldest && { messageId: "m1" }),
      role: form.role,
      [form.parts]: [form.text("hi")],
      ...message,
    },
    ...members,
  });
  const ofParams = (members: Members): Violation => violation(() => read(paramsWith(members)));
  const ofMessage = (members: Members): Violation => violation(() => read(paramsWith({}, members)));
  const ofPart = (part: unknown): Violation => ofMessage({ [form.parts]: [form.text("hi"), part] });
  const refused = (field: string): object => ({ code: "INVALID_PARAMS", field });
  const part = `message.${form.parts}[1]`;

  it("is valid as the tests begin with it", () => {
    expect(read(paramsWith({})).message.parts).toEqual([{ text: "hi" }]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a list", []],
    ["a string", "x"],
    ["a number", 1],
    ["true", true],
  ])("has parameters and not %s", (_, params) => {
    expect(violation(() => read(params))).toMatchObject(refused(""));
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a list", []],
    ["a string", "hi"],
  ])("has a message and not %s", (_, message) => {
    expect(ofParams({ message })).toMatchObject(refused("message"));
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an object", {}],
    ["a string", "hi"],
    ["none", []],
    ["too many", Array.from({ length: 1001 }, () => form.text("x"))],
  ])("has parts and not %s", (_, parts) => {
    verifies("message:parts-required", "security:size-limits");
    expect(ofMessage({ [form.parts]: parts })).toMatchObject(refused(`message.${form.parts}`));
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a string", "hi"],
    ["a list", []],
    ["nothing at all", {}],
    ["only metadata", { metadata: {} }],
  ])("has content in its parts and not %s", (_, value) => {
    expect(ofPart(value)).toMatchObject(refused(part));
  });

  it.each<[string, unknown]>([
    ["a number", 1],
    ["null", null],
    ["an object", {}],
    ["a lone surrogate", "\ud800"],
  ])("has text and not %s", (_, text) => {
    const field =
      text === null && (dialect === "0.3-proto" || dialect === "1.0") ? part : `${part}.text`;
    expect(ofPart(form.text(text))).toMatchObject(refused(field));
  });

  it("may have empty text", () => {
    verifies("part:presence");
    const params = paramsWith({}, { [form.parts]: [form.text("")] });
    expect(read(params).message.parts).toEqual([{ text: "" }]);
  });

  it.each(["***", "a", "aGk=x", "ä", 1, {}])("has base64 and not %j", (bytes) => {
    expect(ofPart(form.bytes(bytes))).toMatchObject(refused(`${part}.${form.at.bytes}`));
  });

  it.each(["nowhere", "/path", "http://", "", 1, {}])("has links and not %j", (url) => {
    expect(ofPart(form.link(url))).toMatchObject(refused(`${part}.${form.at.link}`));
  });

  it.each<[string, string, string]>([
    ["a number beyond a double", '{"a":[1e400]}', ".a[0]"],
    ["a lone surrogate", '{"a":"\\udc00"}', ".a"],
    ["a name with a lone surrogate", '{"a":{"\\udc00":1}}', ".a"],
    ["a member __proto__", '{"__proto__":{}}', ".__proto__"],
    ["a member __proto__ further down", '{"a":[{"__proto__":1}]}', ".a[0].__proto__"],
  ])("has data and metadata without %s", (_, text, below) => {
    expect(ofPart(form.data(json(text)))).toMatchObject(refused(`${part}.${form.at.data}${below}`));
    expect(ofPart({ ...form.text("x"), metadata: json(text) })).toMatchObject(
      refused(`${part}.metadata${below}`),
    );
    expect(ofMessage({ metadata: json(text) })).toMatchObject(refused(`message.metadata${below}`));
    expect(ofParams({ metadata: json(text) })).toMatchObject(refused(`metadata${below}`));
  });

  it("has data and metadata of at most a hundred levels", () => {
    verifies("security:size-limits");
    const deep = { a: nested(10_000, "[", "]") };
    const below = (steps: number): string => `.a${"[0]".repeat(100 - steps - 1)}`;
    const dataSteps = 3 + form.at.data.split(".").length;
    expect(ofPart(form.data(deep))).toMatchObject(
      refused(`${part}.${form.at.data}${below(dataSteps)}`),
    );
    expect(ofMessage({ metadata: deep })).toMatchObject(refused(`message.metadata${below(2)}`));
    expect(ofParams({ metadata: deep })).toMatchObject(refused(`metadata${below(1)}`));
    expect(ofParams({ metadata: nested(10_000, '{"a":', "}") })).toMatchObject(
      refused(`metadata${".a".repeat(99)}`),
    );
    expect(read(paramsWith({ metadata: { a: nested(98, "[", "]") } }))).toHaveProperty(
      "metadata.a",
    );
  });

  it.each([true, "x", [], 1])("has an object as metadata and not %j", (metadata) => {
    expect(ofMessage({ metadata })).toMatchObject(refused("message.metadata"));
    expect(ofParams({ metadata })).toMatchObject(refused("metadata"));
  });

  it.each(["hacker", "USER", "ROLE_HACKER", "ROLE_UNSPECIFIED", 0, 3, {}])(
    "has a role and not %j",
    (role) => {
      expect(ofMessage({ role })).toMatchObject(refused("message.role"));
    },
  );

  it.each(["\u0000", "a\nb", "a\u007f", "x".repeat(257), 7, {}])("has ids and not %j", (id) => {
    verifies("security:size-limits");
    expect(ofMessage({ messageId: id })).toMatchObject(refused("message.messageId"));
    expect(ofMessage({ referenceTaskIds: [id] })).toMatchObject(
      refused("message.referenceTaskIds[0]"),
    );
    if (isOldest) {
      expect(ofParams({ id })).toMatchObject(refused("id"));
      expect(ofParams({ sessionId: id })).toMatchObject(refused("sessionId"));
    } else {
      expect(ofMessage({ taskId: id })).toMatchObject(refused("message.taskId"));
      expect(ofMessage({ contextId: id })).toMatchObject(refused("message.contextId"));
    }
  });

  it.each(["", " ", "\t", undefined, null])(
    "is told of a blank message id, as the version is: %j",
    (id) => {
      verifies("message:id-required");
      if (dialect === "1.0")
        expect(ofMessage({ messageId: id })).toMatchObject(refused("message.messageId"));
      else expect(read(paramsWith({}, { messageId: id })).message.messageId).toBe("generated");
    },
  );

  const historyAt = isOldest ? "historyLength" : "configuration.historyLength";
  const withHistory = (historyLength: unknown): Members =>
    isOldest ? { historyLength } : { configuration: { historyLength } };

  it.each([1e308, 2.5, -1, "x", "2.5", "-1", 2_147_483_648, Number.POSITIVE_INFINITY, true, {}])(
    "has a length of history and not %j",
    (length) => {
      verifies("task:history-negative");
      expect(ofParams(withHistory(length))).toMatchObject(refused(historyAt));
    },
  );

  it.each<[unknown, number]>([
    ["3", 3],
    [0, 0],
    [2_147_483_647, 2_147_483_647],
  ])("may have %j as length of history", (length, expected) => {
    const { configuration } = read(paramsWith(withHistory(length)));
    expect(configuration?.historyLength).toBe(expected);
  });
});

describe("a part with two contents", () => {
  it.each<[Dialect, Members, string]>([
    ["1.0", { text: "x", data: null }, "got 2"],
    ["1.0", { raw: "", url: "https://a.example" }, "got 2"],
    ["0.3-proto", { text: "x", data: { data: {} } }, "got 2"],
    ["0.3-proto", { text: "", file: { fileWithBytes: "" } }, "got 2"],
    ["0.3-proto", { file: { fileWithBytes: "", fileWithUri: "https://a.example" } }, "got both"],
    ["0.3", { kind: "file", file: { bytes: "", uri: "https://a.example" } }, "got both"],
    ["0.1", { type: "file", file: { bytes: "", uri: "https://a.example" } }, "got both"],
  ])("is refused in dialect %s: %j", (dialect, part, words) => {
    verifies("part:one-content");
    const { parts, role } = forms[dialect];
    const params = { id: "t1", message: { messageId: "m1", role, [parts]: [part] } };
    const refused = violation(() =>
      codecs[dialect].decodeRequest.sendMessage(params, serverCursor()),
    );
    expect(refused.field).toMatch(/^message\.(parts|content)\[0\]/);
    expect(refused.description).toContain(words);
  });
});

describe("a state and a moment", () => {
  const stateOf = (dialect: Dialect, status: unknown): unknown =>
    codecs[dialect].decodeResult.getTask({ id: "t1", status }, clientCursor(), {}).status.state;

  it.each(dialects)("of a peer are read or refused in dialect %s", (dialect) => {
    const refused = (status: unknown) => violation(() => stateOf(dialect, status));
    for (const state of [{}, [], true, "\ud800"]) {
      expect(refused({ state })).toMatchObject({
        code: "INVALID_AGENT_RESPONSE",
        field: "status.state",
      });
    }
    for (const timestamp of ["now", "2026-02-30T00:00:00Z", "", 1767323045, {}]) {
      expect(refused({ state: "working", timestamp })).toMatchObject({
        code: "INVALID_AGENT_RESPONSE",
        field: "status.timestamp",
      });
    }
    expect(stateOf(dialect, { state: "cancelled" })).toBe("TASK_STATE_CANCELED");
    for (const state of ["running", "", "done", "TASK_STATE_", 9, -1, 1.5, "__proto__"]) {
      expect(stateOf(dialect, { state })).toBe("TASK_STATE_UNSPECIFIED");
    }
  });

  it.each<[string, unknown, string]>([
    ["status", "running", "status"],
    ["statusTimestampAfter", "yesterday", "statusTimestampAfter"],
    ["pageSize", 101, "pageSize"],
    ["pageSize", 0, "pageSize"],
    ["pageToken", 1, "pageToken"],
    ["includeArtifacts", "yes", "includeArtifacts"],
    ["historyLength", -1, "historyLength"],
    ["contextId", " ", "contextId"],
  ])("are refused in a list of tasks under their name: %s %j", (name, value, field) => {
    verifies("list:page-size-range");
    for (const dialect of dialects.filter((one) => one !== "0.1")) {
      const read = () => codecs[dialect].decodeRequest.listTasks({ [name]: value }, serverCursor());
      expect(violation(read)).toMatchObject({ code: "INVALID_PARAMS", field });
    }
  });
});

describe("a body", () => {
  it.each(["", "{", '{"a":1,}', "// x\n1", "{'a':1}", "NaN", "\u0000", '{"a":1}{}', "\ufeff1"])(
    "that is no JSON is refused: %j",
    (body) => {
      verifies("jsonrpc:parse-error");
      expect(violation(() => parseJson(body)).code).toBe("PARSE_ERROR");
    },
  );

  it("of ten thousand levels is refused before anything is made of it", () => {
    const refused = () => parseJson("[".repeat(10_000) + "]".repeat(10_000));
    expect(refused).toThrowError("the body has more than 100 levels of nesting");
  });
});

afterAll(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect({}).not.toHaveProperty("polluted");
});
