import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Every import between files of the library, types included, as paths below `src`. */
async function readImports(): Promise<readonly Import[]> {
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !/\.test(?:-d)?\.ts$/.test(file),
  );
  const imports = await Promise.all(
    files.map(async (from) => {
      const text = await readFile(join(source, from), "utf8");
      const specifiers = text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*"(\.[^"]+)"/gm);
      return Array.from(specifiers, ([, specifier = ""]) => ({
        from,
        to: relative(source, resolve(source, dirname(from), specifier)),
      }));
    }),
  );
  return imports.flat();
}

/** Which folders of one parent import which of their siblings, with an import as evidence for each. */
function edgesBetweenSiblings(imports: readonly Import[]): Map<string, Map<string, Import>> {
  const edges = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    const from = dirname(one.from).split("/");
    const to = dirname(one.to).split("/");
    const depth = from.findIndex((name, index) => name !== to[index]);
    if (depth === -1 || to[depth] === undefined) continue;
    const [a, b] = [from, to].map((path) => path.slice(0, depth + 1).join("/")) as [string, string];
    edges.set(a, (edges.get(a) ?? new Map<string, Import>()).set(b, one));
  }
  return edges;
}

function findCycle(edges: ReadonlyMap<string, ReadonlyMap<string, Import>>): readonly string[] {
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): readonly string[] => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return [];
    for (const next of edges.get(folder)?.keys() ?? []) {
      const cycle = visit(next, [...path, folder]);
      if (cycle.length > 0) return cycle;
    }
    done.add(folder);
    return [];
  };
  for (const folder of edges.keys()) {
    const cycle = visit(folder, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

test("no folder imports a sibling that imports it, however long the way round", async () => {
  const edges = edgesBetweenSiblings(await readImports());
  const cycle = findCycle(edges);
  const evidence = cycle
    .slice(1)
    .map((folder, index) => edges.get(cycle[index] ?? "")?.get(folder));
  expect(evidence).toEqual([]);
});

test("the check of folders sees a cycle", () => {
  const edges = edgesBetweenSiblings([
    { from: "wire/rest/a.ts", to: "wire/card/b.js" },
    { from: "wire/card/c.ts", to: "wire/v1.0/deep/d.js" },
    { from: "wire/v1.0/d.ts", to: "wire/rest/a.js" },
    { from: "wire/card/b.ts", to: "wire/version.js" },
    { from: "wire/codecs.ts", to: "wire/v1.0/codec.js" },
  ]);
  expect(findCycle(edges)).toEqual(["wire/rest", "wire/card", "wire/v1.0", "wire/rest"]);
});

/** Beyond this a folder is no room any more but a store-room. */
const maxFiles = 24;

test("no folder has many more than twenty files of its own", async () => {
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !/\.test(?:-d)?\.ts$/.test(file),
  );
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > maxFiles)).toEqual([]);
});

test("no file asks URL.canParse, which refuses hosts beyond ASCII once node 20 has optimized it", async () => {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(source, file), "utf8")] as const),
  );
  const asking = texts.filter(([, text]) => text.includes("URL.canParse("));
  expect(asking.map(([file]) => file)).toEqual([]);
});
