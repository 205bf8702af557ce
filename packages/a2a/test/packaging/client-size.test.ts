import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bundlers } from "./bundlers.js";
import type { Bundler, Chunk } from "./bundlers.js";

/** The entries that a client can import `connect` from. */
const entries = ["@parley/a2a", "@parley/a2a/client"];

/** What is loaded only when it is needed: by a URL in place of a card, by telemetry, or by what the agent is. */
const telemetry = "client/observed.js";
const later = ["client/lazy.js", telemetry, "wire/earlier-peer-codecs.js"];

/** The most bytes that a client may have, compressed with gzip. */
interface Bounds {
  /** Of what calls an agent of 1.0 over JSON-RPC, with streams that go on; in one file. */
  readonly atOnce: number;
  /** Of the same in the files that a bundler makes of it, each compressed on its own. */
  readonly inParts: number;
  /** Of all there is but telemetry, every version and binding and way to authenticate, in one file. */
  readonly all: number;
  /** Of the same with telemetry. */
  readonly observed: number;
}

const bounds: Readonly<Record<string, Bounds>> = {
  // The limits of what an agent may send take 3 %: each is checked where bytes, events and tasks come in. Following the
  // streams of servers that do not number their events takes 2 %; states that are not known, methods of extensions and files as
  // text take 2 % of all there is. That telemetry is in a file of its own takes 8 % in parts, and saves 13 % of what is loaded
  // for an agent whose card is not known.
  rolldown: { atOnce: 15_800, inParts: 20_300, all: 34_700, observed: 38_800 },
  // It minifies less. When it splits, a page loads at once what an `internal.js` re-exports for later.
  esbuild: { atOnce: 16_150, inParts: 28_850, all: 34_700, observed: 39_700 },
};

const cases = bundlers.flatMap((bundler) =>
  entries.map((entry): [string, string, Bundler, Bounds] => {
    const { [bundler.name]: bound = expect.fail(`${bundler.name} has no bounds`) } = bounds;
    return [entry, bundler.name, bundler, bound];
  }),
);

describe.each(cases)("connect of %s, bundled by %s:", (entry, _, bundler, bound) => {
  /** What a client is that does nothing but connect. */
  const source = `export { connect } from "${entry}";`;

  test("what every client loads is one small file without imports", async () => {
    const [file, ...others] = await bundler.bundle(source, "external");
    expect(others).toEqual([]);
    expect(file.imports).toEqual([]);
    expect(file.dynamicImports.toSorted()).toEqual(later.map((name) => `later:${name}`));
    expect(file.modules.length).toBeGreaterThan(10);
    expect(
      file.modules.filter((name) => /v0\.\d|rest|protocol\/(?:telemetry|tracing)/.test(name)),
    ).toEqual([]);
    expect(gzipBytes(file)).toBeLessThanOrEqual(bound.atOnce);
  });

  test("what is loaded later imports nothing from outside either, and all of it stays small", async () => {
    const [file, ...others] = await bundler.bundle(source, "inline");
    expect(others).toEqual([]);
    expect(file.imports).toEqual([]);
    expect(file.code).not.toMatch(/\bimport\(|["'`]node:/);
    expect(gzipBytes(file)).toBeLessThanOrEqual(bound.observed);
  });

  test("a client without telemetry loads none of it", async () => {
    const [file, ...others] = await bundler.bundle(source, "plain");
    expect(others).toEqual([]);
    expect(file.dynamicImports).toContain(`later:${telemetry}`);
    expect(file.modules.filter((name) => /protocol\/(?:telemetry|tracing)/.test(name))).toEqual([]);
    expect(gzipBytes(file)).toBeLessThanOrEqual(bound.all);
  });

  test("a bundler that splits it makes few files of it, and a page loads few of them at once", async () => {
    const chunks = await bundler.bundle(source, "split");
    expect(chunks.length).toBeGreaterThan(later.length);
    expect(chunks.length).toBeLessThanOrEqual(10);
    const atOnce = new Set<Chunk>();
    const load = (chunk: Chunk | undefined): void => {
      if (chunk === undefined || atOnce.has(chunk)) return;
      atOnce.add(chunk);
      for (const name of chunk.imports) load(chunks.find(({ fileName }) => fileName === name));
    };
    load(chunks[0]);
    const bytes = [...atOnce].reduce((sum, chunk) => sum + gzipBytes(chunk), 0);
    expect(bytes).toBeLessThanOrEqual(bound.inParts);
  });
});

function gzipBytes({ code }: Chunk): number {
  return gzipSync(code, { level: 9 }).length;
}
