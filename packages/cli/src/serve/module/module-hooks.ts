/**
 * Hooks of node's module loader, which runs them in a thread of its own: TypeScript is compiled as it is imported, `./x.js` finds
 * `./x.ts`, and `@parley/a2a` is found where the module has not installed it.
 */
import { readFile } from "node:fs/promises";
import type { InitializeHook, LoadHook, ResolveHook } from "node:module";
import { fileURLToPath } from "node:url";
import type { MessagePort } from "node:worker_threads";
import { transform } from "esbuild";
import type { Loader } from "esbuild";

/** What the hooks are told: where to report the files that are loaded. */
export interface HookData {
  readonly port: MessagePort;
}

let loaded: MessagePort | undefined;

export const initialize: InitializeHook<HookData> = ({ port }) => {
  loaded = port;
};

export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return await next(specifier, context);
  } catch (error) {
    for (const [other, parentURL] of alternatives(specifier)) {
      try {
        return await next(other, parentURL === undefined ? context : { ...context, parentURL });
      } catch {
        // The first error is about what the author wrote.
      }
    }
    throw error;
  }
};

export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith("file:")) return next(url, context);
  const path = fileURLToPath(url);
  // Before it is read: one that does not compile is waited for, too.
  if (!path.includes("/node_modules/")) loaded?.postMessage(path);
  const [, kind] = /\.[mc]?(tsx?)$/.exec(path) ?? [];
  if (kind === undefined) return next(url, context);
  const { code } = await transform(await readFile(path, "utf8"), {
    loader: kind as Loader,
    format: "esm",
    target: "node20",
    sourcefile: path,
    sourcemap: "inline",
    jsx: "automatic",
  });
  return { format: "module", source: code, shortCircuit: true };
};

type Alternative = readonly [specifier: string, parentURL?: string];

/** What else an import may mean that node does not find. */
function alternatives(specifier: string): readonly Alternative[] {
  if (/^@parley\/a2a(?:\/|$)/.test(specifier)) return [[specifier, import.meta.url]];
  if (!/^(?:\.|\/|file:)/.test(specifier)) return [];
  const [, stem = specifier, kind] = /^(.*)\.([mc]?)jsx?$/.exec(specifier) ?? [];
  return (kind === undefined ? [".ts", ".tsx", ".js", "/index.ts"] : [`.${kind}ts`, ".tsx"]).map(
    (end) => [stem + end],
  );
}
