import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Refusal } from "./refusal.js";
import { pageHeaders } from "./security-headers.js";

/** Where the build puts the page: beside what the compiler and the bundler write. */
const folders = ["./page/", "../page/", "../../page/"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};

/** A file of the page. Every path without a file name is the page itself, which finds its screen in the path. */
export async function staticAnswer(url: URL, folder?: string): Promise<Response> {
  const path = nameOf(url.pathname);
  const type = types[extname(path)];
  if (type === undefined) throw missing();
  const bytes = await readFrom(folder === undefined ? folders : [folder], path);
  if (bytes === undefined && path === "index.html") return notBuilt();
  if (bytes === undefined) throw missing();
  // Names of assets have a hash of their content.
  const isAsset = path.startsWith(`assets${sep}`);
  const headers = {
    ...pageHeaders,
    "Content-Type": type,
    "Cache-Control": isAsset ? "public, max-age=31536000, immutable" : "no-cache",
  };
  return new Response(new Uint8Array(bytes), { headers });
}

/** The path of a file below the folder of the page; never one above. */
function nameOf(pathname: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    throw missing();
  }
  const path = normalize(decoded).replace(/^[/\\]+/, "");
  const isAbove =
    path.split(/[/\\]/).includes("..") || decoded.includes("\0") || decoded.includes("\\");
  if (isAbove) throw missing();
  return extname(path) === "" ? "index.html" : path;
}

async function readFrom(folders: readonly string[], path: string): Promise<Buffer | undefined> {
  for (const folder of folders) {
    try {
      return await readFile(join(folder, path));
    } catch {
      // It may be in the next one.
    }
  }
  return undefined;
}

function missing(): Refusal {
  return new Refusal(404, "METHOD_NOT_FOUND", "there is no such file");
}

function notBuilt(): Response {
  const headers = { ...pageHeaders, "Content-Type": "text/plain; charset=utf-8" };
  return new Response("The page is not built. Run: npm run build\n", { status: 503, headers });
}
