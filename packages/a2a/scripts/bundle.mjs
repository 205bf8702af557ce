/**
 * Bundles what the compiler has written into the few files that node loads. Node spends about a millisecond on each module, and a
 * server needs hundreds. Packages are left to be imported, so that a program has one copy of each.
 */
import { build } from "esbuild";
import { readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const packages = fileURLToPath(new URL("../../", import.meta.url));
const library = join(packages, "a2a");
const commandLine = join(packages, "cli");

/** What is bundled: modules by the names of the files that become of them, all in one folder. */
const bundles = [
  {
    from: join(library, "dist"),
    to: join(library, "dist/bundle"),
    entries: { ...exportedModules(), worker: "store/sqlite/worker.js" },
  },
  {
    from: join(commandLine, "dist/modules"),
    to: join(commandLine, "dist"),
    entries: { main: "main.js", "module-hooks": "serve/module/module-hooks.js" },
  },
];

/** The modules that the library exports, by the files that the exports map names for node. */
function exportedModules() {
  const { exports } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
  const conditions = Object.values(exports).filter((target) => typeof target === "object");
  return Object.fromEntries(
    conditions.map((target) => [
      basename(target.node, ".js"),
      target.default.replace("./dist/", ""),
    ]),
  );
}

/** Bundles both packages, unless their bundles are newer than all they are made of. */
export async function bundle() {
  for (const { from, to, entries } of bundles) {
    if (isFresh(from, to)) continue;
    const { metafile } = await build({
      absWorkingDir: packages,
      entryPoints: Object.entries(entries).map(([out, path]) => ({ in: join(from, path), out })),
      outdir: to,
      bundle: true,
      splitting: true,
      chunkNames: "[name]-[hash]",
      format: "esm",
      platform: "node",
      target: "node20.19",
      packages: "external",
      sourcemap: true,
      sourcesContent: false,
      metafile: true,
    });
    const written = new Set(Object.keys(metafile.outputs).map((path) => join(packages, path)));
    for (const path of filesIn(to)) if (!written.has(path)) rmSync(path);
  }
}

/** What vitest calls before the first test. */
export { bundle as setup };

function isFresh(from, to) {
  const bundled = filesIn(to).map(changedAt);
  if (bundled.length === 0) return false;
  const made = [fileURLToPath(import.meta.url), join(library, "package.json")];
  const compiled = readdirSync(from, { recursive: true })
    .map((name) => join(from, name))
    .filter((path) => path.endsWith(".js") && !path.startsWith(join(library, "dist/bundle")));
  return Math.min(...bundled) > Math.max(...[...made, ...compiled].map(changedAt));
}

/** The files of a bundle that are there already. */
function filesIn(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => /\.js(?:\.map)?$/.test(name))
      .map((name) => join(folder, name));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function changedAt(path) {
  return statSync(path).mtimeMs;
}

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) await bundle();
