/**
 * Throws requests at a server with little memory until the time is over: `npm run fuzz -- --minutes 5`. A failure is shrunk
 * to the smallest request that fails, and printed with the seed that repeats it.
 */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Arbitrary, RunDetails } from "fast-check";
import type { Attack } from "./attack.js";
import { bulkAttack } from "./bulk-attacks.js";
import { grpcAttack, leaveGrpc } from "./grpc-attacks.js";
import { jsonRpcAttack, pageAttack, restAttack } from "./http-attacks.js";
import { demand } from "./misbehaviour.js";
import { ServerProcess } from "./server-process.js";
import { socketAttack } from "./socket-attacks.js";
import { printTally } from "./tally.js";

const attacks = [jsonRpcAttack, restAttack, pageAttack, socketAttack, grpcAttack, bulkAttack];

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string" },
    only: { type: "string" },
    "max-delay-ms": { type: "string", default: "500" },
    "keep-going": { type: "boolean", default: false },
  },
});

const names = values.only?.split(",") ?? attacks.map(({ name }) => name);
const unknown = names.filter((name) => !attacks.some((one) => one.name === name));
if (unknown.length > 0) {
  const known = attacks.map(({ name }) => name).join(", ");
  throw new Error(`--only: there is no ${unknown.join(", ")}; expected some of ${known}`);
}
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes is ${values.minutes}; expected a number above 0`);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const maxDelayMs = Number(values["max-delay-ms"]);
/** How much more than at the start the server may hold when all callers are gone. */
const maxGrowth = 48_000_000;
/** How many volleys are made from one seed. Rounds of megabytes are shorter. */
const roundLength = (attack: Attack): number => (attack === bulkAttack ? 4 : 30);

/** Inputs that are sent at the same time. */
function volleys(attack: Attack): Arbitrary<readonly unknown[]> {
  return fc.array(attack.inputs, { minLength: 1, maxLength: attack === bulkAttack ? 2 : 10 });
}
/** How long is looked for a smaller request that fails, too. */
const shrinkMs = 30_000;

let server = await ServerProcess.start();
let requests = 0;
let longestLateMs = 0;
let longestBlockedMs = 0;
const failures: string[] = [];
const baseBytes = (await server.measure(true)).bytes;

/** Sends some inputs at the same time, and looks at the server after them. */
async function tryOnce(attack: Attack, inputs: readonly unknown[]): Promise<void> {
  if (!server.isAlive) await restart();
  requests += inputs.length;
  const sendAll = (): Promise<unknown> =>
    Promise.all(inputs.map((input) => attack.send(input, server)));
  const [sent] = await Promise.allSettled([sendAll()]);
  const { reports, lateMs, blockedMs } = await server.measure();
  longestLateMs = Math.max(longestLateMs, lateMs);
  longestBlockedMs = Math.max(longestBlockedMs, blockedMs);
  const said = server.said();
  demand(reports.length === 0, () => `reported: ${reports.join("\n")}`);
  demand(said === "", () => `printed: ${said.slice(0, 2000)}`);
  if (sent.status === "rejected") {
    // It may still be busy with what it did not answer, which is no fault of the next request.
    await restart();
    throw sent.reason;
  }
  if (blockedMs <= maxDelayMs) return;
  // Garbage of earlier requests may have been the reason: what this one costs shows again.
  await sendAll();
  const again = await server.measure();
  demand(
    again.blockedMs <= maxDelayMs,
    () => `blocked others for ${Math.round(again.blockedMs)} ms`,
  );
}

async function restart(): Promise<void> {
  await server.stop();
  server = await ServerProcess.start();
}

/** Memory has to come back once all callers are gone. */
async function checkMemory(): Promise<void> {
  leaveGrpc(server);
  let grown = Infinity;
  for (let round = 0; round < 60 && grown > maxGrowth; round += 1) {
    await sleep(500);
    grown = (await server.measure(true)).bytes - baseBytes;
  }
  process.stderr.write(`memory: ${Math.round(grown / 1e6)} MB more than at the start\n`);
  demand(grown <= maxGrowth, () => `holds ${Math.round(grown / 1e6)} MB more than at the start`);
}

/** The smallest requests that fail: one of them if it fails alone. */
async function smallest(attack: Attack, inputs: readonly unknown[]): Promise<readonly unknown[]> {
  for (const input of inputs) {
    const hasFailed = await tryOnce(attack, [input]).then(
      () => false,
      () => true,
    );
    if (hasFailed) return [input];
  }
  return inputs;
}

async function describeFailure(
  attack: Attack,
  { errorInstance, counterexample, seed: used }: RunDetails<[readonly unknown[]]>,
): Promise<string> {
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const inputs = await smallest(attack, counterexample?.[0] ?? []);
  const sent = inputs.map((input) => attack.print(input)).join("\n\nand at the same time\n\n");
  const repeat = `npm run fuzz -- --only ${attack.name} --seed ${used}`;
  return [`FAILED ${attack.name}: ${reason}`, "", sent, "", `Repeat it: ${repeat}`].join("\n");
}

const until = performance.now() + minutes * 60_000;
const chosen = attacks.filter(({ name }) => names.includes(name));
process.stderr.write(`seed ${seed}; ${names.join(", ")} for ${minutes} min\n`);
let shownAt = performance.now();
for (let round = 0; performance.now() < until; round += 1) {
  for (const attack of chosen) {
    if (performance.now() >= until && round > 0) break;
    const property = fc.asyncProperty(volleys(attack), (inputs) => tryOnce(attack, inputs));
    const numRuns = roundLength(attack);
    // The first round has the seed that was given, so that a failure is repeated at once.
    const found = await fc.check(property, {
      seed: seed + round,
      numRuns,
      interruptAfterTimeLimit: Math.max(until - performance.now(), 0) + shrinkMs,
    });
    if (found.failed && found.counterexample !== null) {
      failures.push(await describeFailure(attack, found));
      process.stderr.write(`${failures.at(-1)}\n\n`);
      if (!values["keep-going"]) break;
    }
  }
  if (failures.length > 0 && !values["keep-going"]) break;
  if (performance.now() - shownAt > 5000) {
    shownAt = performance.now();
    process.stderr.write(
      `${requests} requests, blocked for ${Math.round(longestBlockedMs)} ms at most\n`,
    );
  }
}
if (server.isAlive) {
  await checkMemory().catch((error: unknown) => {
    failures.push(`FAILED after ${requests} requests with --seed ${seed}: ${String(error)}`);
  });
}
await server.stop();
process.stderr.write(
  `${requests} requests; the event loop was late by ${Math.round(longestLateMs)} ms at most, ` +
    `of which it computed ${Math.round(longestBlockedMs)} ms\n`,
);
process.stderr.write(`answers: ${printTally()}\n`);
for (const failure of failures) process.stdout.write(`${failure}\n`);
// Connections to a server that was restarted may still be open.
process.exit(failures.length === 0 ? 0 : 1);
