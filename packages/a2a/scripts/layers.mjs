/**
 * Writes all that repeats the table of layers, `layers.json`: each layer's `tsconfig.json`, the import rules of the
 * linter (`.oxlintrc.layers.json`) and the table in CONTRIBUTING.md. With `--check` it writes nothing and
 * fails when one of them differs.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const root = new URL("../../../", import.meta.url);
const source = "packages/a2a/src";
const table = JSON.parse(await readFile(new URL("packages/a2a/layers.json", root), "utf8"));
const layers = Object.entries(table).map(([name, layer]) => ({
  name,
  runtime: "web",
  nodeFolders: [],
  nodeImports: [],
  ...layer,
}));

/** The generated files by their paths. */
export async function generate() {
  const files = new Map();
  for (const layer of layers) {
    files.set(`${source}/${layer.name}/tsconfig.json`, JSON.stringify(projectOf(layer)));
    for (const folder of layer.nodeFolders) {
      const path = `${source}/${layer.name}/${folder}/tsconfig.json`;
      files.set(path, JSON.stringify(nodeProjectOf(layer)));
    }
  }
  files.set(`${source}/tsconfig.json`, JSON.stringify(rootProject()));
  files.set(".oxlintrc.layers.json", JSON.stringify({ overrides: layers.flatMap(importRules) }));
  files.set("CONTRIBUTING.md", await withTable("CONTRIBUTING.md", markdownTable()));
  for (const [path, text] of files)
    files.set(path, await format(text, { filepath: path, printWidth: 100 }));
  return files;
}

function projectOf({ imports, runtime, nodeFolders }) {
  const tests = ["${configDir}/**/*.test.ts", "${configDir}/**/*.test-d.ts"];
  const node = imports.flatMap((name) =>
    nodeFoldersOf(name).map((folder) => `../${name}/${folder}`),
  );
  const references = [...imports.map((name) => `../${name}`), ...(runtime === "node" ? node : [])];
  return {
    extends: "../../../../tsconfig.base.json",
    ...(runtime === "node" && { compilerOptions: { types: ["node"] } }),
    ...(nodeFolders.length > 0 && {
      exclude: [...tests, ...nodeFolders.map((folder) => `\${configDir}/${folder}/**`)],
    }),
    ...(references.length > 0 && { references: references.map((path) => ({ path })) }),
  };
}

/** A folder that may use node, and layers that need it, inside a layer that may not. */
function nodeProjectOf({ imports, nodeImports }) {
  return {
    extends: "../../../../../tsconfig.base.json",
    compilerOptions: {
      types: ["node"],
      rootDir: "${configDir}/../..",
      outDir: "${configDir}/../../../dist",
    },
    references: [...imports, ...nodeImports]
      .map((name) => `../../${name}`)
      .concat("..")
      .map((path) => ({ path })),
  };
}

/** The root door, `@parley/a2a`, and with it every layer. */
function rootProject() {
  const paths = layers.flatMap(({ name, nodeFolders }) => [
    `./${name}`,
    ...nodeFolders.map((folder) => `./${name}/${folder}`),
  ]);
  return {
    extends: "../../../tsconfig.base.json",
    compilerOptions: { rootDir: "${configDir}", outDir: "${configDir}/../dist" },
    files: ["index.ts"],
    include: [],
    references: paths.map((path) => ({ path })),
  };
}

/**
 * Patterns are read as in .gitignore: the last match wins, extglobs and look-ahead match nothing, and a negation also
 * cancels what another group of the same rule found. Hence one group a folder.
 */
function importRules({ name, imports: own, packages, runtime, nodeFolders, nodeImports }) {
  const others = layers.map((layer) => layer.name).filter((other) => other !== name);
  const group = (isNode, imports) => [
    ...(packages === undefined
      ? ["@parley/**", ...(isNode ? [] : ["node:*"])]
      : ["[!.]*", "[!.]*/**", "!./**", "!../**", ...packages.map((one) => `!${one}`)]),
    ...others.filter((other) => !imports.includes(other)).map((other) => `**/${other}/**`),
    ...imports.flatMap((other) => [
      `**/${other}/**`,
      `!**/${other}/internal.js`,
      `!**/${other}/*/internal.js`,
    ]),
  ];
  const sentence = (isNode, imports) =>
    [
      `${name}/ may import only: ${[...imports, ...(packages ?? [])].join(", ") || "nothing"}.`,
      ...(imports.length > 0 ? ["Another layer is imported through its internal.js."] : []),
      ...(isNode ? [] : ["No node:* module."]),
    ].join(" ");
  const rule = (files, isNode, imports) => ({
    files,
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: group(isNode, imports), message: sentence(isNode, imports) }] },
      ],
    },
  });
  const all = rule([`${source}/${name}/**`], runtime === "node", own);
  if (nodeFolders.length === 0) return [all];
  const folders = nodeFolders.map((folder) => `${source}/${name}/${folder}/**`);
  return [all, rule(folders, true, [...own, ...nodeImports])];
}

function markdownTable() {
  const rows = layers.map((layer) => {
    const { name, holds, imports, packages = [], runtime, nodeFolders, nodeImports } = layer;
    const folders = nodeFolders.map((folder) => `\`${folder}/\``).join(", ");
    const own = [...imports, ...packages.map((one) => `\`${one}\``)].join(", ") || "nothing";
    const allowed = nodeImports.length > 0 ? `${own}; ${folders}: ${nodeImports.join(", ")}` : own;
    const where = nodeFolders.length > 0 ? `web; ${folders}: node` : runtime;
    return `| \`${name}\` | ${holds} | ${allowed} | ${where} |`;
  });
  return ["| folder | holds | may import | runtime |", "|---|---|---|---|", ...rows].join("\n");
}

async function withTable(path, markdown) {
  const text = await readFile(new URL(path, root), "utf8");
  const marks = /(<!-- layers: .*? -->\n)[\s\S]*?(<!-- \/layers -->)/;
  if (!marks.test(text)) throw new Error(`${path} has no place for the table of layers`);
  return text.replace(marks, `$1\n${markdown}\n\n$2`);
}

function nodeFoldersOf(name) {
  return layers.find((layer) => layer.name === name)?.nodeFolders ?? [];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isCheck = process.argv.includes("--check");
  const outdated = [];
  for (const [path, text] of await generate()) {
    const url = new URL(path, root);
    const present = await readFile(url, "utf8").catch(() => "");
    if (present === text) continue;
    outdated.push(path);
    if (!isCheck) await writeFile(url, text);
  }
  if (isCheck && outdated.length > 0) {
    console.error(`differs from layers.json: ${outdated.join(", ")}. Run: npm run layers`);
    process.exitCode = 1;
  }
}
