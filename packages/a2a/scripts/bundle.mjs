/**
 * Bundles what the compiler has written into the few files that node loads. Node spends about a millisecond on each module, and a
 * server needs hundreds. Packages are left to be imported, so that a program has one copy of each.
 */
import { rolldown } from "rolldown";
import { readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, isAbsolute, join, relative } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const packages = fileURLToPath(new URL("../../", import.meta.url));
const library = join(packages, "a2a");
const commandLine = join(packages, "cli");
const inspector = join(packages, "inspector");

/**
 * What is bundled: modules by the names of the files that become of them, all in one folder. The modules of each
 * group of `together`, and all that they need, are one file, except for what the groups before it need.
 */
const bundles = [
  {
    from: join(library, "dist"),
    to: join(library, "dist/bundle"),
    entries: { ...exportedModules(library), worker: "store/sqlite/worker.js" },
    together: {
      client: /^client\/connect\.js$/,
      model: /^(?:async|options|protocol)\/[^/]+\.js$/,
      "first-lines": /^index\.js$/,
      connecting: /^client\/lazy\.js$/,
      "client-on-node": /^client\/node\/index\.js$/,
      runtime: /^server\/runtime\.js$/,
      server: /^node\/serve\.js$/,
    },
  },
  {
    from: join(inspector, "dist"),
    to: join(inspector, "dist/bundle"),
    entries: exportedModules(inspector),
    together: {},
  },
  {
    from: join(commandLine, "dist/modules"),
    to: join(commandLine, "dist"),
    entries: { main: "main.js", "module-hooks": "serve/module/module-hooks.js" },
    together: {
      start: /^run-cli\.js$/,
      arguments: /^options\/define-command\.js$/,
      calls: /^commands\/send\.js$/,
    },
  },
];

/** The modules that a package exports, by the files that its exports map names for node. */
function exportedModules(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const conditions = Object.values(exports).filter((target) => target.node !== undefined);
  return Object.fromEntries(
    conditions.map((target) => [
      basename(target.node, ".js"),
      target.default.replace("./dist/", ""),
    ]),
  );
}

/** Maps lead to the sources, beyond what the compiler has written of them. */
const compilersMaps = {
  name: "compilers-maps",
  load: (id) => ({ code: readFileSync(id, "utf8"), map: readFileSync(`${id}.map`, "utf8") }),
};

/** Bundles the packages, unless their bundles are newer than all they are made of. */
export async function bundle() {
  for (const { from, to, entries, together } of bundles) {
    if (isFresh(from, to)) continue;
    const bundled = await rolldown({
      cwd: packages,
      input: Object.fromEntries(
        Object.entries(entries).map(([to, path]) => [to, join(from, path)]),
      ),
      platform: "node",
      plugins: [compilersMaps],
      external: (id) => !/^[.#]/.test(id) && !isAbsolute(id),
    });
    const groups = Object.entries(together).map(([name, paths], index, all) => ({
      name,
      test: (id) => paths.test(relative(from, id)),
      priority: all.length - index,
    }));
    const { output } = await bundled.write({
      dir: to,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      codeSplitting: { groups },
      comments: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    await bundled.close();
    const written = new Set(output.map(({ fileName }) => join(to, fileName)));
    for (const path of filesIn(to)) if (!written.has(path)) rmSync(path);
  }
}

/** What vitest calls before the first test. */
export { bundle as setup };

function isFresh(from, to) {
  const bundled = filesIn(to).map(changedAt);
  if (bundled.length === 0) return false;
  const made = [
    fileURLToPath(import.meta.url),
    ...[library, inspector].map((folder) => join(folder, "package.json")),
  ];
  const compiled = readdirSync(from, { recursive: true })
    .map((name) => join(from, name))
    .filter((path) => path.endsWith(".js") && !/\bdist.(?:bundle|page)\b/.test(path));
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
