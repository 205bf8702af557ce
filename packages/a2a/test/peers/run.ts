/**
 * Lets SDKs in other languages call a server of ours, and our client call theirs: `npm run interop`. With `--only go-2` it takes one
 * peer, with `--operation files` one operation, with `--folder path` it installs there and leaves it for the next run. Writes
 * `docs/interop.md` when all is as `known-failures.ts` says. With `--page` it tries nobody, and writes the page that the list gives.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { casesOf, expectedOf, nameOf } from "./case.js";
import { complaintsOf } from "./complaints.js";
import type { Result } from "./complaints.js";
import { install } from "./install.js";
import { knownFailures } from "./known-failures.js";
import { writePage } from "./page.js";
import { peers } from "./peers.js";
import type { Peer } from "./peers.js";
import { runOurClient, runTheirClient } from "./run-cases.js";
import { whyMissing } from "./tools.js";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    operation: { type: "string" },
    folder: { type: "string" },
    page: { type: "boolean", default: false },
  },
});
const unknown = (values.only ?? []).filter((name) => !peers.some(({ id }) => id === name));
if (unknown.length > 0) {
  const known = peers.map(({ id }) => id).join(", ");
  throw new Error(`--only: there is no ${unknown.join(", ")}; expected some of ${known}`);
}
const isChosen = (peer: Peer): boolean => values.only?.includes(peer.id) ?? !values.page;
const chosen = peers.filter(isChosen);

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const begun = performance.now();
const seconds = (): string => `${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s `;
const results: Result[] = [];
const problems: string[] = [];

function take(result: Result): void {
  results.push(result);
  const passed = result.error === undefined;
  const expected = expectedOf(result.of);
  const isKnown = (passed ? "pass" : "fail") === expected;
  const word = passed ? "pass" : "fail";
  say(`${seconds()} ${word}${isKnown ? "" : ", unexpected"}  ${nameOf(result.of)}`);
  if (!passed && !isKnown) say(`         ${result.error}`);
}

async function tryPeer(peer: Peer, folder: string): Promise<void> {
  say(`${seconds()} installing ${peer.id}`);
  const programs = await install(peer, folder);
  const cases = casesOf([peer]).filter(
    ({ operation }) => operation === (values.operation ?? operation),
  );
  const going = (direction: string) => cases.filter((one) => one.direction === direction);
  await Promise.all([
    runTheirClient(going("their client"), programs, take),
    runOurClient(going("our client"), programs, take),
  ]);
}

const missing = new Map<string, string>();
for (const tool of new Set(chosen.map(({ tool }) => tool))) {
  const why = await whyMissing(tool);
  if (why === undefined) continue;
  missing.set(tool, why);
  say(`${tool} is missing, so its peers are skipped: ${why}`);
}
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "parley-interop-")));
try {
  const present = chosen.filter(({ tool }) => !missing.has(tool));
  // Two at a time: a peer that installs computes, one that is tried mostly waits.
  const waiting = [...present];
  const lane = async (): Promise<void> => {
    for (let peer = waiting.shift(); peer !== undefined; peer = waiting.shift()) {
      const { id } = peer;
      await tryPeer(peer, folder).catch((error: unknown) => {
        problems.push(`${id} could not be tried: ${String(error)}`);
      });
    }
  };
  await Promise.all([lane(), lane()]);
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}

problems.push(...complaintsOf(results, knownFailures, casesOf()));
const passed = results.filter(({ error }) => error === undefined).length;
say(`${seconds()} ${results.length} cases: ${passed} pass, ${results.length - passed} fail`);
for (const problem of problems) say(problem);
if (problems.length > 0) process.exitCode = 1;
else if (results.length > 0 || values.page) {
  const path = fileURLToPath(new URL("../../../../docs/interop.md", import.meta.url));
  const page = await writePage();
  await writeFile(path, page);
  process.stdout.write(page);
}
