import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";
import type { Plugin as EsbuildPlugin } from "esbuild";
import { rolldown } from "rolldown";
import type { Plugin as RolldownPlugin } from "rolldown";

/** A minified file that a bundler has made, for browsers. Imports of other such files are named as those are. */
export interface Chunk {
  readonly fileName: string;
  readonly code: string;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  /** The modules that something of is in it. */
  readonly modules: readonly string[];
}

/**
 * What becomes of dynamic imports: files of their own (`split`), parts of the one file there is (`inline`), or
 * imports still, named `later:` and the path of the module (`external`). With `plain` only that of telemetry still is one.
 */
export type DynamicImports = "split" | "inline" | "external" | "plain";

export interface Bundler {
  readonly name: string;
  /** Bundles a source text; the first chunk is its own. */
  bundle(source: string, dynamicImports: DynamicImports): Promise<readonly [Chunk, ...Chunk[]]>;
}

/** Where the source texts would be, were they files. */
const input = fileURLToPath(import.meta.url);
const folder = fileURLToPath(new URL(".", import.meta.url));

/** Whether a dynamic import stays one. */
function isLater(specifier: string, dynamicImports: DynamicImports): boolean {
  if (dynamicImports === "plain") return specifier.endsWith("/observed.js");
  return dynamicImports === "external";
}

function laterName(specifier: string, importer: string): string {
  const { pathname } = new URL(specifier, pathToFileURL(importer));
  return `later:${pathname.split("/dist/")[1]}`;
}

const withRolldown: Bundler = {
  name: "rolldown",
  async bundle(source, dynamicImports) {
    const virtual: RolldownPlugin = {
      name: "virtual",
      load: (id) => (id === input ? source : undefined),
      resolveId(specifier, importer = "", { kind }) {
        if (kind !== "dynamic-import" || !isLater(specifier, dynamicImports)) return undefined;
        return { id: laterName(specifier, importer), external: true };
      },
    };
    await using bundled = await rolldown({
      input,
      platform: "browser",
      logLevel: "silent",
      plugins: [virtual],
    });
    const codeSplitting = dynamicImports !== "inline" && dynamicImports !== "plain";
    const { output } = await bundled.generate({ format: "esm", minify: true, codeSplitting });
    const [first, ...others] = output;
    const toChunk = ({ modules, ...chunk }: typeof first): Chunk => ({
      ...chunk,
      modules: Object.keys(modules),
    });
    return [toChunk(first), ...others.filter((one) => one.type === "chunk").map(toChunk)];
  },
};

const withEsbuild: Bundler = {
  name: "esbuild",
  async bundle(source, dynamicImports) {
    const external: EsbuildPlugin = {
      name: "external",
      setup(build) {
        build.onResolve({ filter: /.*/ }, ({ kind, path, importer }) =>
          kind === "dynamic-import" && isLater(path, dynamicImports)
            ? { path: laterName(path, importer), external: true }
            : undefined,
        );
      },
    };
    const { metafile, outputFiles } = await esbuild({
      stdin: { contents: source, resolveDir: folder },
      bundle: true,
      format: "esm",
      platform: "browser",
      minify: true,
      splitting: dynamicImports === "split",
      outdir: folder,
      write: false,
      metafile: true,
      plugins: [external],
    });
    const chunks = Object.entries(metafile.outputs).map(([path, { imports, inputs }]): Chunk => {
      const fileName = basename(path);
      const ofKind = (wanted: "import-statement" | "dynamic-import"): string[] => {
        const paths = imports.filter(({ kind }) => kind === wanted).map((one) => one.path);
        return [...new Set(paths)].map((one) => (one.startsWith("later:") ? one : basename(one)));
      };
      return {
        fileName,
        code: outputFiles.find((file) => basename(file.path) === fileName)?.text ?? "",
        imports: ofKind("import-statement"),
        dynamicImports: ofKind("dynamic-import"),
        modules: Object.keys(inputs).filter((name) => (inputs[name]?.bytesInOutput ?? 0) > 0),
      };
    });
    const own = chunks.find(({ fileName }) => fileName === "stdin.js");
    if (own === undefined) throw new Error("esbuild has made no file of the source text");
    return [own, ...chunks.filter((chunk) => chunk !== own)];
  },
};

export const bundlers: readonly Bundler[] = [withRolldown, withEsbuild];
