/** What is not HTTP, or HTTP that can be read in two ways, written byte by byte. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { attack } from "./attack.js";
import type { Attack } from "./attack.js";
import { checkAnswer } from "./check-answers.js";
import { openHttpSocket } from "./http-answer.js";
import { count } from "./tally.js";
import { demand } from "./misbehaviour.js";

const body = '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}';
const json = "Content-Type: application/json\r\n";
const post = `POST / HTTP/1.1\r\nHost: localhost\r\n${json}`;
const whole = `${post}Content-Length: ${body.length}\r\n\r\n${body}`;
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
const inChunks = `${chunked}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const streaming = body
  .replace("ListTasks", "SendStreamingMessage")
  .replace("{}}", '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"wait"}]}}}');

/** Requests from which others are made: right ones, and known ways to be wrong. */
const seeds: readonly string[] = [
  whole,
  inChunks,
  `${whole}${whole}${whole}`,
  `${whole}GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${body}`,
  `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`,
  `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n\r\n`,
  `${chunked}1;${"x".repeat(20_000)}\r\n{\r\n0\r\n\r\n`,
  `${chunked}0\r\nTrailer: x\r\nHost: evil.example\r\n\r\n`,
  `${post}Content-Length: +5\r\n\r\n${body}`,
  `${post}Content-Length: 0x10\r\n\r\n${body}`,
  `${post}Content-Length: 99999999999999999999\r\n\r\n`,
  `${post}Content-Length: 10\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08`,
  `${post}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  `${post}Expect: nonsense\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  `GET / HTTP/1.0\r\n\r\n`,
  `POST / HTTP/1.0\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`,
  `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: localhost\r\n X: folded\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: localhost\r\nX: a\nY: b\r\n\r\n`,
  `GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n`,
  `TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
  "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00",
  `GET /${"x".repeat(9000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: localhost\r\n${"X: y\r\n".repeat(3000)}\r\n`,
  `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(20_000)}\r\n\r\n`,
  `${post}Content-Length: ${streaming.length}\r\n\r\n${streaming}`,
];

interface SocketInput {
  readonly seed: string;
  readonly changes: readonly {
    readonly at: number;
    readonly byte: number;
    readonly kind: number;
  }[];
  /** Where the bytes are cut into writes. */
  readonly cuts: readonly number[];
  /** What the caller does once it has written. */
  readonly finally: "read" | "end" | "drop" | "reset";
}

const inputs: Arbitrary<SocketInput> = fc.record({
  seed: fc.constantFrom(...seeds),
  changes: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 3,
      arbitrary: fc.array(fc.record({ at: fc.nat(2000), byte: fc.nat(255), kind: fc.nat(3) }), {
        minLength: 1,
        maxLength: 3,
      }),
    },
  ),
  cuts: fc.array(fc.nat(500), { maxLength: 3 }),
  finally: fc.constantFrom("read", "read", "end", "drop", "reset"),
});

function bytesOf({ seed, changes }: SocketInput): Buffer {
  let bytes = Buffer.from(seed, "latin1");
  for (const { at, byte, kind } of changes) {
    const place = at % Math.max(bytes.length, 1);
    const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
    if (kind === 0) bytes = Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
    else if (kind === 1) bytes = Buffer.concat([before, Buffer.of(byte), after]);
    else if (kind === 2) bytes = Buffer.concat([before, after.subarray(1)]);
    else bytes = before;
  }
  return bytes;
}

/** What is cut off need not be answered, so answers are not awaited for long. */
const answerMs = 100;

export const socketAttack: Attack = attack<SocketInput>({
  name: "sockets",
  inputs,
  async send(input, server) {
    const bytes = bytesOf(input);
    const opened = openHttpSocket(server.port);
    await once(opened.socket, "connect");
    let at = 0;
    for (const cut of input.cuts.map((one) => one % Math.max(bytes.length, 1)).toSorted(byNumber)) {
      opened.write(bytes.subarray(at, cut));
      at = cut;
      await sleep(1);
    }
    opened.write(bytes.subarray(at));
    if (input.finally === "drop") return void opened.socket.destroy();
    if (input.finally === "reset") return void opened.socket.resetAndDestroy();
    if (input.finally === "end") opened.socket.end();
    // Node takes a caller that has ended its half of the connection for one that has left.
    const isRight = input.changes.length === 0 && input.seed === whole && input.finally === "read";
    const answers = await opened.answers(1, isRight ? undefined : answerMs);
    for (const answer of answers) {
      checkAnswer(answer);
      count(`socket ${answer.status}`);
    }
    demand(!isRight || answers.length === 1, () => "did not answer");
  },
  print: (input) => {
    const text = JSON.stringify(bytesOf(input).toString("latin1").slice(0, 4000));
    return `${text}\nin writes cut at ${JSON.stringify(input.cuts)}, then ${input.finally}`;
  },
});

const byNumber = (left: number, right: number): number => left - right;
