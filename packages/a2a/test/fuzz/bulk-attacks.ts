/** Requests of some megabytes, which cost the most to read. They have to be refused or answered soon. */
import fc from "fast-check";
import { attack } from "./attack.js";
import type { Attack } from "./attack.js";
import { checkAnswer } from "./check-answers.js";
import { openHttpSocket } from "./http-answer.js";
import { callGrpc } from "./grpc-attacks.js";
import { demand } from "./misbehaviour.js";
import type { ServerProcess } from "./server-process.js";

/** What bodies are full of, each about as large as it is told. */
const fillings: Readonly<Record<string, (bytes: number) => string>> = {
  objects: (bytes) => `[${"{},".repeat(bytes / 3)}{}]`,
  numbers: (bytes) => `[${"0,".repeat(bytes / 2)}0]`,
  lists: (bytes) => `[${"[],".repeat(bytes / 3)}[]]`,
  names: (bytes) => `{${some(bytes / 14, (index) => `"${900_000_000 - index}":0`)}}`,
  words: (bytes) => `{${some(bytes / 14, (index) => `"n${index}":0`)}}`,
  text: (bytes) => `"${"x".repeat(bytes)}"`,
  escapes: (bytes) => `"${"\\u0041".repeat(bytes / 6)}"`,
  digits: (bytes) => "1".repeat(bytes),
  depth: (bytes) => `${"[".repeat(bytes / 2)}${"]".repeat(bytes / 2)}`,
  parts: (bytes) => `[${'{"text":""},'.repeat(bytes / 12)}{"text":""}]`,
};

function some(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(",");
}

/** Where in a request it is. */
const places = {
  metadata: (value: string) =>
    `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"echo"}]},"metadata":{"x":${value}}}`,
  data: (value: string) =>
    `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":${value}}]}}`,
  parts: (value: string) => `{"message":{"messageId":"m","role":"ROLE_USER","parts":${value}}}`,
  webhook: (value: string) => `{"taskId":"TASK-0","url":${value}}`,
  params: (value: string) => value,
};

interface BulkInput {
  readonly filling: string;
  readonly place: keyof typeof places;
  readonly megabytes: number;
  readonly route: "jsonrpc" | "rest" | "grpc";
}

function bodyOf({ filling, place, megabytes, route }: BulkInput): string {
  const params = places[place](fillings[filling]?.(megabytes * 1_000_000) ?? "{}");
  const method = place === "webhook" ? "CreateTaskPushNotificationConfig" : "SendMessage";
  return route === "rest"
    ? params
    : `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
}

export const bulkAttack: Attack = attack<BulkInput>({
  name: "bulk",
  inputs: fc.record({
    filling: fc.constantFrom(...Object.keys(fillings)),
    place: fc.constantFrom("metadata", "data", "parts", "webhook", "params"),
    megabytes: fc.integer({ min: 1, max: 9 }),
    route: fc.constantFrom("jsonrpc", "rest", "grpc"),
  }),
  send: (input, server) =>
    input.route === "grpc" ? sendGrpc(input, server) : sendHttp(input, server),
  print: ({ filling, place, megabytes, route }) =>
    route === "grpc"
      ? `${megabytes} MB of empty parts over gRPC`
      : `${megabytes} MB of ${filling} as ${place} over ${route}`,
});

async function sendHttp(input: BulkInput, server: ServerProcess): Promise<void> {
  const body = Buffer.from(server.fill(bodyOf(input)));
  const path = input.route === "rest" ? "/message:send" : "/";
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    "A2A-Version: 1.0",
    `Content-Length: ${body.length}`,
  ];
  const opened = openHttpSocket(server.port);
  opened.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]));
  const [answer] = await opened.answers(1);
  demand(answer !== undefined, () => "did not answer");
  checkAnswer(answer);
}

/** A message of parts that are empty: two bytes each on the wire, an object each in memory. */
async function sendGrpc({ megabytes }: BulkInput, server: ServerProcess): Promise<void> {
  const parts = Buffer.alloc(megabytes * 1_000_000, Buffer.of(0x2a, 0));
  const length = varint(parts.length);
  const message = Buffer.concat([Buffer.of(0x12), length, parts]);
  const head = Buffer.of(0, 0, 0, 0, 0);
  head.writeUInt32BE(message.length, 1);
  const status = await callGrpc(server, Buffer.concat([head, message]));
  demand(status !== 2 && status !== 13, () => `grpc-status ${status}`);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
