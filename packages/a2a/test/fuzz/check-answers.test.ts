import { describe, expect, it } from "vitest";
import { checkJsonRpc, checkRest } from "./check-answers.js";
import { readAnswers } from "./http-answer.js";
import { secretText } from "./server-process.js";
import { spoil } from "./spoiled-json.js";

const sent = '{"jsonrpc":"2.0","id":7,"method":"GetTask","params":{"id":"t"}}';

function answerOf(body: string, { status = "200 OK", type = "application/json" } = {}): Buffer {
  const length = Buffer.byteLength(body);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
  return Buffer.from(head + body);
}

function checkSent(bytes: Buffer): void {
  for (const answer of readAnswers(bytes)) checkJsonRpc(answer, sent, "1.0");
}

describe("the fuzzer accepts", () => {
  it.each([
    ["a result", answerOf('{"jsonrpc":"2.0","id":7,"result":{}}')],
    ["an error", answerOf('{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"}}')],
    ["a refusal", answerOf('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}')],
    [
      "a stream",
      answerOf(
        'id: 1\ndata: {"jsonrpc":"2.0","id":7,"result":{"a":"\u2028"}}\n\n: still here\n\n',
        {
          type: "text/event-stream",
        },
      ),
    ],
  ])("%s", (_, bytes) => {
    expect(() => checkSent(bytes)).not.toThrow();
  });
});

describe("the fuzzer refuses", () => {
  it.each([
    ["what is not HTTP", Buffer.from("HTTP/9 200\r\n\r\n"), "not a status line"],
    ["a broken header", Buffer.from("HTTP/1.1 200 OK\r\nbroken\r\n\r\n"), "not a header"],
    ["what is not JSON", answerOf("{"), "not JSON"],
    ["no envelope", answerOf("{}"), "no JSON-RPC"],
    ["neither result nor error", answerOf('{"jsonrpc":"2.0","id":7}'), "neither a result"],
    ["another id", answerOf('{"jsonrpc":"2.0","id":8,"result":{}}'), "another id than 7"],
    [
      "an internal error",
      answerOf('{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no"}}'),
      "an internal error",
    ],
    [
      "an error of another version",
      answerOf('{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no","data":{}}}'),
      "another version than 1.0",
    ],
    ["a fault", answerOf("{}", { status: "500 Internal Server Error" }), "answered 500"],
    [
      "its insides",
      answerOf('{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"TypeError: x"}}'),
      "shows its insides",
    ],
    [
      "what belongs to another",
      answerOf(`{"jsonrpc":"2.0","id":7,"result":{"text":"${secretText}"}}`),
      "belongs to another",
    ],
    ["a broken event", answerOf("junk\n\n", { type: "text/event-stream" }), "not an event"],
  ])("%s", (_, bytes, problem) => {
    expect(() => checkSent(bytes)).toThrow(problem);
  });

  it("an error of REST without its members", () => {
    const [answer] = readAnswers(answerOf('{"error":"no"}', { status: "400 Bad Request" }));
    expect(() => answer && checkRest(answer)).toThrow("not an error");
  });
});

describe("a spoiled text", () => {
  const edit = { place: 1, text: "1e400", byte: 0x5b };

  it.each([
    ["value", '{"a":"b","c":1e400}'],
    ["twice", '{"a":"b","c":1,"c":1}'],
    ["byte", '{[a":"b","c":1}'],
    ["insert", '{["a":"b","c":1}'],
    ["cut", "{"],
  ] as const)("has one %s changed", (kind, text) => {
    expect(String(spoil('{"a":"b","c":1}', [{ ...edit, kind }]))).toBe(text);
  });
});
