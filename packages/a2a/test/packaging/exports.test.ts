import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const packageUrl = new URL("../../", import.meta.url);

const subpaths = Object.entries(manifest.exports).filter(([, file]) => file.endsWith(".js"));

/** The entries that need node. All others run in browsers, too. */
const nodeSubpaths = ["./client/node", "./store/sqlite", "./grpc", "./node"];
const isForNode = ([subpath]: readonly [string, string]) => nodeSubpaths.includes(subpath);

/** What the entry's declaration file exports; an `index.ts` holds explicit re-exports only. */
async function declaredExports(file: string): Promise<{ types: string[]; values: string[] }> {
  const url = new URL(file.replace(/\.js$/, ".d.ts"), packageUrl);
  const source = (await readFile(url, "utf8")).replace(/\/\*.*?\*\/|\/\/.*$/gms, "").trim();
  const statement = /export (type )?\{([^}]*)\} from "[^"]*";\s*/g;
  expect(source.replace(statement, ""), "index.ts holds nothing but explicit re-exports").toBe("");
  const types: string[] = [];
  const values: string[] = [];
  for (const [, typeOnly, list = ""] of source.matchAll(statement)) {
    for (const item of list.split(",").map((text) => text.trim())) {
      const name = item.replace(/^type /, "").replace(/^.* as /, "");
      if (name !== "") (typeOnly || item.startsWith("type ") ? types : values).push(name);
    }
  }
  return { types: types.toSorted(), values: values.toSorted() };
}

/** The imports that are left when a file and all it needs is bundled for browsers. */
async function browserImports(input: string, source?: string): Promise<string[]> {
  await using build = await rolldown({
    input,
    platform: "browser",
    logLevel: "silent",
    plugins: source === undefined ? [] : [{ name: "source", load: () => source }],
  });
  const { output } = await build.generate({ format: "esm" });
  const own = new Set(output.map(({ fileName }) => fileName));
  return output
    .flatMap((chunk) => (chunk.type === "chunk" ? [...chunk.imports, ...chunk.dynamicImports] : []))
    .filter((name) => !own.has(name));
}

test("exports exactly the names that are written down", async () => {
  const lines: string[] = [];
  for (const [subpath, file] of subpaths) {
    const { types, values } = await declaredExports(file);
    const exported: object = await import(new URL(file, packageUrl).href);
    expect(Object.keys(exported).toSorted()).toEqual(values);
    lines.push(subpath, ...values.map((name) => `  ${name}`));
    lines.push(...types.map((name) => `  type ${name}`), "");
  }
  await expect(lines.join("\n")).toMatchFileSnapshot("exports.txt");
});

test.each(subpaths.filter((entry) => !isForNode(entry)))(
  "%s runs in a browser: its bundle imports nothing",
  async (_, file) => {
    expect(await browserImports(fileURLToPath(new URL(file, packageUrl)))).toEqual([]);
  },
);

test.each(subpaths.filter(isForNode))("%s needs node: its bundle says so", async (_, file) => {
  const imports = await browserImports(fileURLToPath(new URL(file, packageUrl)));
  expect(imports.some((name) => name.startsWith("node:"))).toBe(true);
});

test("the bundle check sees an import of node's", async () => {
  const source = `export { readFile } from "node:fs"; export const lazy = () => import("node:os");`;
  const imports = await browserImports(fileURLToPath(import.meta.url), source);
  expect(imports.toSorted()).toEqual(["node:fs", "node:os"]);
});
