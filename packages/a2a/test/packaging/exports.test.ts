import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const packageUrl = new URL("../../", import.meta.url);
const scriptsUrl = new URL("scripts/", packageUrl);

const conditional = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === "string" ? [] : [{ subpath, ...target }],
);
const subpaths = conditional.map(({ subpath, default: file }) => [subpath, file] as const);

/** The entries that need node. All others run in browsers, too. */
const nodeSubpaths = [
  "./client/node",
  "./store/postgres",
  "./store/sqlite",
  "./bus/postgres",
  "./bus/nats",
  "./bus/file",
  "./grpc",
  "./node",
];
const isForNode = ([subpath]: readonly [string, string]) => nodeSubpaths.includes(subpath);

interface PublicName {
  readonly name: string;
  readonly isType: boolean;
  readonly declaredIn: string;
  /** The types in what it returns that no entry exports. */
  readonly hidden?: readonly string[];
}

interface Entry {
  readonly subpath: string;
  readonly groups: readonly { readonly names: readonly PublicName[] }[];
}

/** The entries with their names, as the report of the API reads them. */
async function readPublicApi(): Promise<readonly Entry[]> {
  const script = (await import(new URL("public-api.mjs", scriptsUrl).href)) as {
    readPublicApi(): readonly Entry[];
  };
  return script.readPublicApi();
}

/** Names that stand for one thing in one entry and for another in another. */
function findTwoMeanings(entries: readonly Entry[]): readonly string[] {
  const declarations = new Map<string, Set<string>>();
  for (const { name, declaredIn } of entries.flatMap(({ groups }) =>
    groups.flatMap(({ names }) => names),
  )) {
    declarations.set(name, (declarations.get(name) ?? new Set()).add(declaredIn));
  }
  return [...declarations].filter(([, places]) => places.size > 1).map(([name]) => name);
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

test("exports exactly the names that are written down, to node and to others", async () => {
  for (const { subpath, groups } of await readPublicApi()) {
    const { node = "", default: others = "" } =
      conditional.find((one) => one.subpath === subpath) ?? {};
    const names = groups.flatMap((group) => group.names).filter(({ isType }) => !isType);
    for (const file of [node, others]) {
      const exported: object = await import(new URL(file, packageUrl).href);
      expect(Object.keys(exported).toSorted()).toEqual(names.map(({ name }) => name).toSorted());
    }
  }
  const script = fileURLToPath(new URL("api.mjs", scriptsUrl));
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test.each(subpaths)("%s is explicit re-exports and nothing else", async (_, file) => {
  const url = new URL(file.replace(/\.js$/, ".d.ts"), packageUrl);
  const source = (await readFile(url, "utf8")).replace(/\/\*.*?\*\/|\/\/.*$/gms, "").trim();
  expect(source.replace(/export (type )?\{([^}]*)\} from "[^"]*";\s*/g, "")).toBe("");
});

test("what a public function returns has a public type, so that users can name it", async () => {
  const names = (await readPublicApi()).flatMap(({ groups }) =>
    groups.flatMap((group) => group.names),
  );
  const hidden = names.flatMap(({ name, hidden = [] }) => hidden.map((type) => `${name}: ${type}`));
  expect(hidden).toEqual([]);
});

test("a name that two entries export is the same thing in both", async () => {
  expect(findTwoMeanings(await readPublicApi())).toEqual([]);
});

test("the check of names sees one with two meanings", () => {
  const entry = (subpath: string, declaredIn: string): Entry => ({
    subpath,
    groups: [
      {
        names: [
          { name: "textOf", isType: false, declaredIn },
          { name: "agent", isType: false, declaredIn: "agent.d.ts#agent" },
        ],
      },
    ],
  });
  const entries = [entry(".", "message.d.ts#textOf"), entry("./client", "content.d.ts#textOf")];
  expect(findTwoMeanings(entries)).toEqual(["textOf"]);
});

test("who imports the root entry loads neither the runtime nor a store", async () => {
  const loaded: string[] = [];
  await using build = await rolldown({
    input: fileURLToPath(new URL("dist/index.js", packageUrl)),
    platform: "browser",
    logLevel: "silent",
    plugins: [{ name: "loaded", moduleParsed: ({ id }) => void loaded.push(id) }],
  });
  await build.generate({ format: "esm" });
  const layers = loaded.map((id) => id.split("/dist/")[1] ?? id);
  expect(layers).toContain("server/author/agent.js");
  expect(layers.filter((id) => /^(?:server\/(?!author\/)|store\/|auth\/|node\/)/.test(id))).toEqual(
    [],
  );
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
