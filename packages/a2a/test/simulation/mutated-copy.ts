import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { simulate } from "@parley/a2a/testing";
import type { Change } from "./runtime-mutants.js";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));
const packages = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/** A copy of the compiled library with some changes, and the simulator of that copy. */
export interface MutatedCopy extends Disposable {
  simulate: typeof simulate;
}

/** Fails when the file does not have what is to be changed exactly once: then the mutant has to follow the code. */
export async function openMutatedCopy(changes: readonly Change[]): Promise<MutatedCopy> {
  const folder = mkdtempSync(join(tmpdir(), "parley-mutant-"));
  // A path by which the test runner leaves compiled files alone.
  const copied = join(folder, "packages/a2a/dist");
  cpSync(dist, copied, {
    recursive: true,
    filter: (path) => !/\.(d\.ts|map|tsbuildinfo)$/.test(path),
  });
  symlinkSync(packages, join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  for (const change of changes) apply(copied, change);
  const entry = pathToFileURL(join(copied, "testing/simulation/simulate.js")).href;
  const copy = (await import(/* @vite-ignore */ entry)) as { simulate: typeof simulate };
  return {
    simulate: copy.simulate,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function apply(copied: string, { file, from, to }: Change): void {
  const path = join(copied, file);
  const code = readFileSync(path, "utf8");
  const found = code.split(from).length - 1;
  if (found !== 1) {
    throw new Error(`${file} has this ${found} times; expected once. Adapt the mutant: ${from}`);
  }
  writeFileSync(path, code.replace(from, to));
}
