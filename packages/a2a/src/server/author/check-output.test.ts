import { describe, expect, it } from "vitest";
import { checkContent, checkOutcome, checkOutput } from "./check-output.js";
import { MalformedOutput } from "./malformed-output.js";

const bytes = new Uint8Array([1]);
const outputForms = "expected a string, a part such as { data }, { status } or { artifact }";
const outcomeForms =
  "expected nothing, a string, a part such as { data }, { inputRequired } or { completed }";
const contentForms = "expected a string, a part such as { data }, or a list of these";
const itemForms = "expected a string or a part such as { data }";
const partForms = "expected one of text, data, url, raw, file";

function* words(): Generator<string> {
  yield "word";
}
async function* chunks(): AsyncGenerator<string> {
  yield "chunk";
}

const parts: readonly unknown[] = [
  "text",
  "",
  { text: "" },
  { text: "a", mediaType: "text/markdown", metadata: { deep: [1] } },
  { data: null },
  { data: { any: ["json"] }, mediaType: "application/json" },
  { url: "https://a.example/", filename: "a", mediaType: undefined },
  { raw: "AA==" },
  { file: { bytes, mediaType: "image/png", filename: "a.png" } },
  { file: { url: "https://a.example/a.png" } },
];

describe("a handler may yield", () => {
  it.each([
    ...parts,
    { status: "Working" },
    { status: ["Working", { data: 1 }], progress: 1, metadata: {} },
    { status: "Working", progress: undefined },
    { artifact: "a", text: "", name: "A", description: "D", append: true, lastChunk: false },
    { artifact: "a", data: 1, mediaType: "application/json", extensions: ["urn:e"], metadata: {} },
    { artifact: "a", file: { bytes } },
    { artifact: "a", parts: ["a", { file: { bytes } }] },
  ])("%j", (value) => {
    expect(checkOutput(value, "Travel")).toBe(value);
  });
});

describe("a handler may return", () => {
  it.each([
    undefined,
    ...parts,
    ["a", { data: 1 }, { file: { bytes } }],
    { inputRequired: "Which?" },
    { inputRequired: ["Which?", { data: 1 }] },
    { completed: { data: 1 } },
  ])("%j", (value) => {
    expect(checkOutcome(value, "Travel")).toBe(value);
  });
});

describe("a handler that yields", () => {
  it.each<[string, unknown, string]>([
    ["nothing", undefined, `undefined; ${outputForms}`],
    ["null", null, `null; ${outputForms}`],
    ["a number", 42, `42; ${outputForms}`],
    ["a boolean", false, `false; ${outputForms}`],
    ["a function", words, `the function words; ${outputForms}`],
    ["a promise", Promise.resolve("x"), "a promise that was not awaited; write yield await"],
    ["a generator", words(), "a generator; write yield*"],
    ["a stream", chunks(), "an async generator or stream; write yield*"],
    ["a web stream", new ReadableStream(), "an async generator or stream; write yield*"],
    ["a set", new Set(["a"]), "a Set; write yield*"],
    ["a list", ["a", 1], "a list; yield its items one by one"],
    ["an error", new TypeError("x"), "a TypeError; throw it, or call fail()"],
    ["bytes", bytes, "a Uint8Array; give bytes as { file: { bytes } }"],
    ["nothing in an object", {}, `an empty object; it has no content; ${partForms}`],
    [
      "a misspelt member",
      { artefact: "a", text: "x" },
      "an object with artefact, text; artefact is unknown; did you mean artifact?",
    ],
    [
      "a misspelt status",
      { staus: "x" },
      "an object with staus; staus is unknown; did you mean status?",
    ],
    [
      "a member of nothing",
      { text: "x", colour: "red" },
      "an object with text, colour; colour is unknown; " +
        "expected one of text, data, url, raw, file, mediaType, filename, metadata",
    ],
    [
      "two contents",
      { text: "x", data: 1 },
      `an object with text, data; it has text and data; ${partForms}`,
    ],
    ["a text that is none", { text: 42 }, "an object with text; text is 42; expected a string"],
    [
      "data that was not awaited",
      { data: Promise.resolve(1) },
      "an object with data; data is a promise that was not awaited; expected JSON",
    ],
    [
      "data that is a function",
      { data: words },
      "an object with data; data is the function words; expected JSON",
    ],
    [
      "a file without content",
      { file: { filename: "a" } },
      "an object with file; file has no content; expected one of bytes, url",
    ],
    [
      "a file by its path",
      { file: "a.png" },
      "an object with file; file is a string; expected { bytes } or { url }",
    ],
    [
      "a status that is a number",
      { status: 42 },
      `an object with status; status is 42; ${contentForms}`,
    ],
    [
      "a status with a promise in it",
      { status: ["a", Promise.resolve("b")] },
      `an object with status; status[1] is a promise that was not awaited; ${itemForms}`,
    ],
    [
      "too much progress",
      { status: "x", progress: 50 },
      "an object with status, progress; progress is 50; expected a number from 0 to 1",
    ],
    [
      "progress that is none",
      { status: "x", progress: NaN },
      "an object with status, progress; progress is NaN; expected a number from 0 to 1",
    ],
    [
      "a misspelt progress",
      { status: "x", progess: 1 },
      "an object with status, progess; progess is unknown; did you mean progress?",
    ],
    [
      "an artifact without content",
      { artifact: "a", name: "A" },
      "an object with artifact, name; it has no content; expected one of text, data, file, parts",
    ],
    [
      "an artifact with an undefined text",
      { artifact: "a", text: undefined },
      "an object with artifact, text; it has no content; expected one of text, data, file, parts",
    ],
    [
      "an artifact without an id",
      { artifact: "", text: "x" },
      'an object with artifact, text; artifact is ""; expected the id of the artifact',
    ],
    [
      "parts that are none",
      { artifact: "a", parts: ["x", 42] },
      `an object with artifact, parts; parts[1] is 42; ${itemForms}`,
    ],
    [
      "no parts",
      { artifact: "a", parts: [] },
      "an object with artifact, parts; parts is an empty list; expected at least one part",
    ],
  ])("%s is told so", (_, value, problem) => {
    expect(() => checkOutput(value, "Travel")).toThrow(
      new MalformedOutput(`the handler of agent "Travel" yielded ${problem}`),
    );
  });
});

describe("a handler that returns", () => {
  it.each<[string, unknown, string]>([
    ["null", null, `null; ${outcomeForms}`],
    ["a number", 42, `42; ${outcomeForms}`],
    ["a function", () => "x", `a function; ${outcomeForms}`],
    ["a promise", Promise.resolve("x"), "a promise that was not awaited; write return await"],
    ["a generator", words(), "a generator; write async function* instead of function*"],
    ["a stream", chunks(), "an async generator or stream; write yield* in an async function*"],
    ["an error", new Error("x"), "an Error; throw it, or call fail()"],
    ["a map", new Map(), `a Map; ${outcomeForms}`],
    ["an empty list", [], "an empty list; expected at least one part"],
    ["a list of mixed things", ["a", 42], `a list; it[1] is 42; ${itemForms}`],
    [
      "an artifact",
      { artifact: "a", text: "x" },
      "an object with artifact, text; yield it instead of returning it",
    ],
    [
      "a message",
      { messageId: "1", role: "ROLE_AGENT", parts: [{ text: "x" }] },
      "an object with messageId, role, parts; return its parts",
    ],
    [
      "a misspelt question",
      { inputRequire: "Which?" },
      "an object with inputRequire; inputRequire is unknown; did you mean inputRequired?",
    ],
    [
      "a question that is none",
      { inputRequired: undefined },
      `an object with inputRequired; inputRequired is missing; ${contentForms}`,
    ],
    [
      "a question and more",
      { inputRequired: "Which?", text: "x" },
      "an object with inputRequired, text; text is unknown; expected one of inputRequired",
    ],
    [
      "completed without words",
      { completed: true },
      `an object with completed; completed is true; ${contentForms}`,
    ],
  ])("%s is told so", (_, value, problem) => {
    expect(() => checkOutcome(value, "Travel")).toThrow(
      new MalformedOutput(`the handler of agent "Travel" returned ${problem}`),
    );
  });
});

describe("a question", () => {
  it("may be any content", () => {
    for (const content of [...parts, ["a", { data: 1 }]]) {
      expect(checkContent(content, "ask()")).toBe(content);
    }
  });

  it.each<[unknown, string]>([
    [undefined, `its content is missing; ${contentForms}`],
    [42, `its content is 42; ${contentForms}`],
    [["a", null], `its content[1] is null; ${itemForms}`],
  ])("of %j is refused in the name of the call", (value, problem) => {
    expect(() => checkContent(value, "ask()")).toThrow(new MalformedOutput(`ask(): ${problem}`));
  });
});
