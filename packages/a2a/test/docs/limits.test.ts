import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultBounds } from "../../src/grpc/grpc-bounds.js";
import { defaultLimits } from "../../src/protocol/internal.js";
import { defaultSettings } from "../../src/server/settings.js";
import { pathInRoot } from "./page.js";

interface Row {
  /** An option in backticks, or what is limited in words. */
  readonly name: string;
  readonly value: string;
}

const sourceFolder = pathInRoot("packages/a2a/src");
const sourceOf = (file: string): string => readFileSync(join(sourceFolder, file), "utf8");

/** The rows of all tables that have the columns of a limit. */
function readRows(): readonly Row[] {
  const rows: Row[] = [];
  let isTable = false;
  for (const line of readFileSync(pathInRoot("docs/limits.md"), "utf8").split("\n")) {
    const [, name, value, beyond, change] = line.split("|").map((cell) => cell.trim());
    if (name === "name") isTable = [value, beyond, change].join() === "default,beyond it,change it";
    else if (name === undefined) isTable = false;
    else if (isTable && !name.startsWith("--")) rows.push({ name, value: value ?? "" });
  }
  return rows;
}

const rows = readRows();
const segments = new Set(rows.flatMap(({ name }) => name.replaceAll("`", "").split(".")));

const units: Readonly<Record<string, number>> = {
  "": 1,
  ms: 1,
  s: 1000,
  min: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  days: 86_400_000,
  KiB: 1024,
  MiB: 1024 * 1024,
};

/** What a cell means in the unit of the code; nothing for `none`. */
function amountOf(text: string): number | undefined {
  if (text === "none") return undefined;
  const [, digits = "", unit = ""] = /^([\d,]+) ?(\w*)$/.exec(text) ?? [];
  return Number(digits.replaceAll(",", "")) * (units[unit] ?? Number.NaN);
}

const expression = String.raw`(\d[\d_]*(?: \* \d[\d_]*)*)`;

/** The numbers that a source gives a name: `name = 1`, `name: 1`, `name ?? 1`. */
function numbersOf(source: string, name: string): readonly number[] {
  const escaped = name.replaceAll(/[?()]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<!\w)${escaped}(?: =|:| \?\?)? ${expression}`, "g");
  return Array.from(source.matchAll(pattern), ({ 1: found = "" }) =>
    found.split(" * ").reduce((product, one) => product * Number(one.replaceAll("_", "")), 1),
  );
}

const allSources = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/\.test(?:-d)?\.ts$|\/gen\//.test(file))
  .map(sourceOf)
  .join("\n");

/** The folder of `parley serve`, as seen from the library. */
const cli = "../../cli/src/serve";

/** Where defaults are that have another name in the code: the file, and what is before the number. */
const elsewhere: Readonly<Record<string, readonly [file: string, name: string]>> = {
  "states that a task tells": ["protocol/extensions/state-transitions.ts", "maxTransitions"],
  "length of a URL": ["node/web-server.ts", "maxUrlLength"],
  "all headers together": ["node/web-server.ts", "maxHeaderSize"],
  "idempotency key": ["binding/call.ts", "maxIdempotencyKeyLength"],
  "id of a JSON-RPC call": ["wire/detect/json-rpc-envelope.ts", "maxIdLength"],
  "a URL, token, credential, header value, tenant or page token in a request": [
    "protocol/limits.ts",
    "maxFieldLength",
  ],
  "body of a caller that is refused": ["http/exchange.ts", "refusedBodyBytes"],
  "`maxBodyBytesInFlight`": ["http/body/body-pool.ts", "defaultBytes"],
  "requests before the start": ["node/web-server.ts", "maxEarly"],
  "requests of a connection that wait for answers before theirs": [
    "node/pipelines.ts",
    "maxPipelined",
  ],
  "`maxConnections`": ["node/web-server.ts", "maxConnections"],
  "time in which a reader takes nothing of a large answer": ["node/stream-writer.ts", "stallMs"],
  "connections to `/metrics`": ["node/metrics/open-metrics-server.ts", "maxConnections"],
  "repeats of one warning or error in the log, a minute": ["node/log/create-log.ts", "maxRepeats"],
  "one text in the log": ["protocol/telemetry/without-secrets.ts", "maxLength"],
  "depth over gRPC": ["grpc/wire-format.ts", "maxDepth"],
  "frames of a message that waits": ["grpc/http2/bound-queue.ts", "maxFrames"],
  "metadata of a call": ["grpc/http2/open-http2-server.ts", "maxHeaderBytes"],
  "answer of an issuer": ["auth/tokens/issuer-fetch.ts", "maxAnswerBytes"],
  "password checks that wait, of an address and a user name": [
    "auth/schemes/fair-line.ts",
    "maxPerUser",
  ],
  "password checks that wait, of an address": ["auth/schemes/fair-line.ts", "maxPerAddress"],
  "password checks that wait, in all": ["auth/schemes/fair-line.ts", "maxInAll"],
  "time that a large read waits": ["server/operations/large-reads.ts", "maxWaitMs"],
  "large reads that wait": ["server/operations/large-reads.ts", "maxWaiting"],
  "message that is kept with a direct reply": [
    "server/operations/kept-replies.ts",
    "maxKeptRequestBytes",
  ],
  "page of `ListTasks`": ["server/operations/list-tasks.ts", "defaultPageSize"],
  "`heartbeatMs`": ["http/sse/open-sse.ts", "defaultHeartbeatMs"],
  "`healthCheckMs`": ["grpc/health.ts", "everyMs"],
  "`cardMaxAgeSeconds`": ["http/cards/card-server.ts", "defaultMaxAgeSeconds"],
  "`maxCallers`": ["auth/limits/call-limiter.ts", "maxKeys"],
  "`Authorization` header": ["auth/schemes/authorization-header.ts", "maxLength"],
  "API key": ["auth/tokens/key-table.ts", "maxKeyLength"],
  "opaque token": ["auth/tokens/introspection.ts", "maxTokenLength"],
  "name of a caller": ["auth/authenticate/checks.ts", "maxSubjectLength"],
  "questions to an introspection endpoint": ["auth/tokens/introspection.ts", "maxAsking"],
  "configurations of a task": ["server/operations/quota.ts", "maxPushConfigs"],
  "receivers that are remembered": ["node/push/new-receivers.ts", "maxReceivers"],
  "time to answer a challenge": ["node/push/challenge-receiver.ts", "challengeMs"],
  "`push.rotateKeysMs`": ["node/push/stored-push-keys.ts", "defaultRotateMs"],
  "`maxStreamsPerHost`": ["client/connect.ts", "new StreamSlots(isBrowser ? 5 :"],
  "`cardTtlMs`": ["client/card/card-cache.ts", "ttlMs"],
  "cards that are kept": ["client/card/card-cache.ts", "maxCards"],
  "`maxAnswerBytes`": ["binding/peer.ts", "defaultMaxAnswerBytes: number"],
  "`maxEventBytes`": ["binding/peer.ts", "defaultMaxAnswerBytes: number"],
  "a task that a stream tells": ["binding/peer.ts", "defaultMaxAnswerBytes: number"],
  "`maxCardBytes`": ["client/card/find-card.ts", "maxCardBytes"],
  "depth of an answer": ["binding/peer.ts", "maxJsonDepth"],
  "an id in an answer": ["binding/peer.ts", "maxIdLength"],
  "pause that an agent may ask for": [
    "client/calls/retry.ts",
    "(details.retryAfterSeconds ?? 0) <=",
  ],
  "answer of an authorization server": ["client/oauth/endpoint.ts", "maxBytes"],
  "time for an answer of an authorization server": ["client/oauth/endpoint.ts", "timeoutMs"],
  "key set of a card's signer": ["client/signatures/create-card-verifier.ts", "maxBytes"],
  "tries of a call to an agent that is silent": [
    "../../cli/src/connect/prepare-connection.ts",
    "maxAttempts",
  ],
  "programs of `--exec` at the same time": [`${cli}/open-backend.ts`, "maxPrograms"],
  "time between SIGTERM and SIGKILL": [`${cli}/exec/exec-agent.ts`, "killAfterMs"],
  "what a failure quotes of a program's errors": [`${cli}/exec/last-lines.ts`, "maxBytes"],
  "a line, an event or a JSON document of a backend": [
    `${cli}/text-streams.ts`,
    "maxLineBytes: number",
  ],
  "earlier tasks that a model gets": [`${cli}/openai/chat-messages.ts`, "maxEarlierTasks"],
  "characters of earlier tasks that a model gets": [
    `${cli}/openai/chat-messages.ts`,
    "maxEarlierLength",
  ],
  "a receiver's key set": ["client/push/agent-keys.ts", "maxKeySetBytes"],
};

/** The numbers that the code has for a row. */
function defaultsOf(name: string): readonly (number | undefined)[] {
  const [, group = "", option = name] = /^`(?:(\w+)\.)?(?:\w+\.)*(\w+)`$/.exec(name) ?? [];
  const known: Readonly<Record<string, object>> = {
    settings: defaultSettings,
    limits: defaultLimits,
    grpc: defaultBounds,
  };
  const defaults = known[group];
  if (defaults !== undefined) return [Reflect.get(defaults, option) as number | undefined];
  const [file, other] = elsewhere[name] ?? [];
  return file === undefined || other === undefined
    ? numbersOf(allSources, option)
    : numbersOf(sourceOf(file), other);
}

describe("docs/limits.md", () => {
  it.each(rows)("has the default of $name as it is in the code: $value", ({ name, value }) => {
    const amount = amountOf(value);
    expect(amount).not.toBeNaN();
    const isSetting = name.startsWith("`settings.");
    if (amount !== undefined || isSetting) expect(defaultsOf(name)).toContain(amount);
  });

  it("has each limit once", () => {
    const names = rows.map(({ name }) => name);
    expect(rows.length).toBeGreaterThan(50);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each([
    "server/setting-rules.ts",
    "binding/binding-rules.ts",
    "binding/grpc-bounds.ts",
    "http/http-rules.ts",
    "grpc/grpc-rules.ts",
    "node/serve-rules.ts",
  ])("has every number that %s admits", (file) => {
    const rules = /^ +(\w+): (?:timerMs|atLeast|count|ageMs|positive|rate)\b/gm;
    const names = Array.from(sourceOf(file).matchAll(rules), ({ 1: name = "" }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !segments.has(name))).toEqual([]);
  });

  it.each([
    "client/connect.ts",
    "client/call-options.ts",
    "http/peer-exchange.ts",
    "client/push/create-push-verifier.ts",
    "grpc/transport.ts",
  ])("has every limit among the options in %s", (file) => {
    const members = /^ {2}readonly (max\w+|\w+(?:Ms|Bytes|Seconds))\??: number;/gm;
    const names = Array.from(sourceOf(file).matchAll(members), ({ 1: name = "" }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !segments.has(name))).toEqual([]);
  });
});
