/** Requests over JSON-RPC and over HTTP and JSON whose framing is right. */
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { buildRestRequest } from "@parley/a2a/wire";
import { attack } from "./attack.js";
import type { Attack } from "./attack.js";
import { checkJsonRpc, checkRest } from "./check-answers.js";
import { openHttpSocket } from "./http-answer.js";
import type { HttpAnswer } from "./http-answer.js";
import { fuzzExtension } from "./fuzz-extension.js";
import { demand } from "./misbehaviour.js";
import { methodOf, operationRequests, paramsOf, versionFor } from "./operation-requests.js";
import type { OperationRequest } from "./operation-requests.js";
import type { ServerProcess } from "./server-process.js";
import { edits, spoil } from "./spoiled-json.js";
import type { Edit } from "./spoiled-json.js";

/** How long an open stream is read before it is dropped. */
const streamMs = 60;

interface Wrapping {
  readonly edits: readonly Edit[];
  readonly mount: string;
  readonly headers: readonly string[];
  readonly saysVersion: boolean;
}

const header: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "Last-Event-ID: 0",
    "Last-Event-ID: 1",
    "Last-Event-ID: 999999999999999999999",
    "Last-Event-ID: -1",
    `Last-Event-ID: ${"9".repeat(4000)}`,
    "Last-Event-ID: TASK-0/1",
    "Idempotency-Key: one",
    `Idempotency-Key: ${"k".repeat(300)}`,
    "A2A-Extensions: https://a.example/x, urn:parley:a2a:event-ids:v1",
    `A2A-Extensions: ${"a,".repeat(3000)}`,
    "A2A-Version: 9.9",
    "A2A-Version: 0.3, 1.0",
    "Accept: text/event-stream",
    "Accept: application/xml;q=nonsense",
    "Authorization: Basic \u00ff\u00fe",
    "X-API-Key: key-of-nobody",
    "X-API-Key: key-of-bob",
    "Origin: https://page.example",
    "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Forwarded: for=1.2.3.4;host=evil.example;proto=https",
    "X-Forwarded-Host: evil.example",
    "Cookie: a=b; __proto__=c",
    "Range: bytes=0-1",
    "If-None-Match: *",
    "Content-Language: \u00e4",
  ),
  fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,20}: [ -~]{0,100}$/).filter((line) => !isFraming(line)),
);

/** Headers by which the framing would be wrong, which is another attack. */
function isFraming(line: string): boolean {
  return /^(?:host|content-|transfer-|connection|expect|upgrade|keep-alive|te|trailer)/i.test(line);
}

const wrapping: Arbitrary<Wrapping> = fc.record({
  edits,
  mount: fc.constantFrom("", "", "", "", "", "", "", "/guarded"),
  headers: fc.array(header, { maxLength: 2 }),
  saysVersion: fc.boolean(),
});

interface JsonRpcInput extends Wrapping {
  readonly request: OperationRequest;
  readonly id: unknown;
}

const isSpokenInRest = (dialect: string): boolean =>
  /^(?:1\.0|0\.3-proto|0\.3-schema)$/.test(dialect);

const id = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(1, "a", 0, -1, 9007199254740991) },
  fc.constantFrom<unknown>(null, 1.5, "x".repeat(1000), {}, [], true, "\u0000", "\ud800"),
);

function jsonRpcText({ request, id: given, edits: changes }: JsonRpcInput): Buffer {
  const envelope = {
    jsonrpc: "2.0",
    id: given,
    method: methodOf(request),
    params: paramsOf(request),
  };
  return spoil(JSON.stringify(envelope), changes);
}

function spell(head: readonly string[], body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

/** Sends one request on a connection of its own. Streams are dropped after a while. */
async function exchange(server: ServerProcess, bytes: Buffer): Promise<HttpAnswer> {
  const opened = openHttpSocket(server.port);
  opened.write(bytes);
  const leaving = new AbortController();
  let hasStream = false;
  const isStream = Buffer.from("text/event-stream");
  opened.socket.on("data", (chunk: Buffer) => {
    if (hasStream || !chunk.includes(isStream)) return;
    hasStream = true;
    void sleep(streamMs, undefined, { signal: leaving.signal })
      .then(() => opened.socket.destroy())
      .catch(() => undefined);
  });
  const [answer, ...more] = await opened.answers(1);
  leaving.abort();
  demand(answer !== undefined, () => "did not answer");
  demand(more.length === 0, () => `answered ${1 + more.length} times`);
  const isOver = answer.isWhole || hasStream;
  demand(isOver, () => `did not finish its answer: ${answer.status}`);
  return answer;
}

export const jsonRpcAttack: Attack = attack<JsonRpcInput>({
  name: "jsonrpc",
  inputs: fc
    .tuple(
      operationRequests((dialect) => !/-proto|-schema/.test(dialect)),
      wrapping,
      id,
    )
    .map(([request, wrapped, given]) => ({ request, ...wrapped, id: given })),
  async send(input, server) {
    const text = server.fill(jsonRpcText(input).toString("latin1"));
    const body = Buffer.from(text, "latin1");
    const answer = await exchange(
      server,
      spell(headOf(input, `POST ${input.mount || "/"}`, body), body),
    );
    const version = input.saysVersion && !hasVersion(input) ? versionFor(input.request) : undefined;
    checkJsonRpc(answer, body.toString(), version);
  },
  print: (input) => {
    const body = jsonRpcText(input);
    return printRequest(headOf(input, `POST ${input.mount || "/"}`, body), body);
  },
});

interface RestInput extends Wrapping {
  readonly request: OperationRequest;
}

function restRequest(input: RestInput): {
  readonly head: readonly string[];
  readonly body: Buffer;
} {
  const { request, mount, edits: changes } = input;
  const { dialect, operation, params } = request;
  const route = buildRestRequest(dialect, operation, params as never);
  const path = `${mount}${route.path}${route.query === "" ? "" : `?${route.query}`}`;
  const target = path.replaceAll(/[^!-~]/g, encodeURIComponent).slice(0, 8000);
  const body =
    route.body === undefined ? Buffer.alloc(0) : spoil(JSON.stringify(route.body), changes);
  return { head: headOf(input, `${route.httpMethod} ${target}`, body), body };
}

export const restAttack: Attack = attack<RestInput>({
  name: "rest",
  inputs: fc
    .tuple(operationRequests(isSpokenInRest), wrapping)
    .map(([request, wrapped]) => ({ request, ...wrapped }))
    .filter(canBeRouted),
  async send(input, server) {
    const { head, body } = restRequest(input);
    const filled = Buffer.from(server.fill(body.toString("latin1")), "latin1");
    const lines = head.map((line) =>
      /^content-length/i.test(line) ? `Content-Length: ${filled.length}` : server.fill(line),
    );
    checkRest(await exchange(server, spell(lines, filled)));
  },
  print: (input) => {
    const { head, body } = restRequest(input);
    return printRequest(head, body);
  },
});

/** Some changed requests have no path any more. */
function canBeRouted(input: RestInput): boolean {
  try {
    restRequest(input);
    return true;
  } catch {
    return false;
  }
}

const hasVersion = ({ headers }: Wrapping): boolean =>
  headers.some((line) => /^a2a-version/i.test(line));

function headOf(
  input: Wrapping & { readonly request: OperationRequest },
  route: string,
  body: Buffer,
): readonly string[] {
  const { headers, saysVersion, request } = input;
  return [
    `${route} HTTP/1.1`,
    "Host: localhost",
    ...(body.length > 0 ? ["Content-Type: application/json"] : []),
    `Content-Length: ${body.length}`,
    ...(saysVersion && !hasVersion(input) ? [`A2A-Version: ${versionFor(request)}`] : []),
    ...(request.operation === "callMethod" ? [`A2A-Extensions: ${fuzzExtension}`] : []),
    ...headers,
  ];
}

function printRequest(head: readonly string[], body: Buffer): string {
  const text = body.toString();
  const shown = text.length > 4000 ? `${text.slice(0, 4000)}… (${body.length} bytes)` : text;
  return [...head.map((line) => line.slice(0, 500)), "", shown].join("\n");
}

const pages = [
  "/",
  "/.well-known/agent-card.json",
  "/.well-known/agent.json",
  "/.well-known/jwks.json",
  "/guarded/.well-known/agent-card.json",
  "/guarded",
  "/agent/authenticatedExtendedCard",
  "/v1/card",
  "/extendedAgentCard",
  "/healthz",
  "/readyz",
  "/livez",
  "/favicon.ico",
  "/tasks",
  "/v1/tasks",
  "/tasks/TASK-3",
  "/guarded/tasks/TASK-3",
];

interface PageInput {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: readonly string[];
}

function pageHead({ method, path, query, headers }: PageInput): readonly string[] {
  const target = `${path}${query === "" ? "" : `?${query}`}`.replaceAll(
    /[^!-~]/g,
    encodeURIComponent,
  );
  return [`${method} ${target} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers];
}

/** Cards, keys, health and whatever else is asked for without a body. */
export const pageAttack: Attack = attack<PageInput>({
  name: "pages",
  inputs: fc.record({
    method: fc.constantFrom("GET", "GET", "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"),
    path: fc
      .tuple(fc.constantFrom(...pages), fc.stringMatching(/^[!-~]{0,20}$/), fc.nat(3))
      .map(([path, more, isChanged]) => (isChanged === 0 ? `${path}${more}` : path)),
    query: fc.constantFrom(
      "",
      "",
      "historyLength=1e9",
      "pageSize=-1",
      "pageToken=%00",
      "a=%zz",
      "x=1&x=2",
    ),
    headers: fc.array(header, { maxLength: 3 }),
  }),
  async send(input, server) {
    const lines = pageHead(input).map((line) => server.fill(line));
    const opened = openHttpSocket(server.port);
    opened.write(spell(lines, Buffer.alloc(0)));
    // The length in the head of an answer to HEAD is that of a body that does not come.
    const [answer] = await opened.answers(1);
    demand(answer !== undefined, () => "did not answer");
    if (input.method !== "HEAD") checkRest(answer);
  },
  print: (input) => printRequest(pageHead(input), Buffer.alloc(0)),
});
