import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import type { OutputChunk, Plugin, RolldownBuild } from "rolldown";
import { describe, expect, test } from "vitest";

/** The entries that a client can import `connect` from. */
const entries = ["@parley/a2a", "@parley/a2a/client"];

/** What is loaded only when it is needed: by a URL in place of a card, or by what the agent is. */
const later = ["client/lazy.js", "wire/earlier-peer-codecs.js"];

/** Of what calls an agent of 1.0 over JSON-RPC, with streams that go on; in one file. */
const maxGzipBytes = 15_000;
/** Of the same in the files that a bundler makes of it, each compressed on its own. */
const maxGzipBytesOfParts = 18_000;
/** Of all there is, every version and binding and way to authenticate, in one file. */
const maxGzipBytesOfAll = 31_500;

/** Leaves dynamic imports as they are, under names of their own: some files are imported both ways. */
const leaveForLater: Plugin = {
  name: "leave-for-later",
  resolveId(specifier, importer, { kind }) {
    if (kind !== "dynamic-import") return undefined;
    const path = new URL(specifier, pathToFileURL(importer ?? "")).pathname;
    return { id: `later:${path.split("/dist/")[1]}`, external: true };
  },
};

/** What a client is that does nothing but connect. */
async function bundle(entry: string, ...plugins: Plugin[]): Promise<RolldownBuild> {
  const input = fileURLToPath(import.meta.url);
  const text = `export { connect } from "${entry}";`;
  const source: Plugin = { name: "source", load: (id) => (id === input ? text : undefined) };
  return rolldown({
    input,
    platform: "browser",
    logLevel: "silent",
    plugins: [source, ...plugins],
  });
}

describe.each(entries)("connect of %s:", (entry) => {
  test("what every client loads is one small file without imports", async () => {
    await using build = await bundle(entry, leaveForLater);
    const { output } = await build.generate({ format: "esm", minify: true });
    const [file, ...others] = output;
    expect(others).toEqual([]);
    expect(file.imports).toEqual([]);
    expect(file.dynamicImports.toSorted()).toEqual(later.map((name) => `later:${name}`));
    expect(Object.keys(file.modules).filter((name) => /v0\.\d|rest/.test(name))).toEqual([]);
    expect(gzipBytes(file)).toBeLessThanOrEqual(maxGzipBytes);
  });

  test("what is loaded later imports nothing from outside either, and all of it stays small", async () => {
    await using build = await bundle(entry);
    const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false });
    const [file, ...others] = output;
    expect(others).toEqual([]);
    expect(file.imports).toEqual([]);
    expect(file.code).not.toMatch(/\bimport\(|["'`]node:/);
    expect(gzipBytes(file)).toBeLessThanOrEqual(maxGzipBytesOfAll);
  });

  test("a bundler that splits it makes few files of it, and a page loads few of them at once", async () => {
    await using build = await bundle(entry);
    const { output } = await build.generate({ format: "esm", minify: true });
    const chunks = new Map(
      output.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one]] : [])),
    );
    expect(chunks.size).toBeLessThanOrEqual(7);
    const atOnce = new Set<OutputChunk>();
    const load = (name: string): void => {
      const chunk = chunks.get(name);
      if (chunk === undefined || atOnce.has(chunk)) return;
      atOnce.add(chunk);
      chunk.imports.forEach(load);
    };
    load(output[0].fileName);
    const bytes = [...atOnce].reduce((sum, chunk) => sum + gzipBytes(chunk), 0);
    expect(bytes).toBeLessThanOrEqual(maxGzipBytesOfParts);
  });
});

function gzipBytes({ code }: OutputChunk): number {
  return gzipSync(code, { level: 9 }).length;
}
