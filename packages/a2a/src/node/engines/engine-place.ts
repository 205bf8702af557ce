import { nearestTo } from "../../options/internal.js";

/** Where tasks are kept, as an operator writes it in one text. */
export type StorePlace =
  | { readonly engine: "memory" }
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly url: string };

/** What carries wake-ups between nodes. A file belongs to a SQLite store; operators write the others. */
export type BusPlace =
  | { readonly engine: "memory" }
  | { readonly engine: "file"; readonly path: string }
  | { readonly engine: "nats"; readonly url: string }
  | { readonly engine: "postgres"; readonly url: string };

const storeForms = "postgres://…, sqlite:PATH, memory: or the path of a SQLite file";
const busForms = "nats://…, tls://…, postgres://… or memory:";

/** A URL, one whose colon was forgotten, or a host and a port. */
const looksLikeServer = /:\/\/|^postgres(?:ql)?\/\/|^[\w.-]+:\d+(?:\/|$)/i;

/** Reads where a store is. `name` is what an error calls the text. Throws for a scheme that no store has. */
export function parseStorePlace(text: string, name: string): StorePlace {
  const scheme = schemeOf(text);
  if (scheme === "postgres" || scheme === "postgresql") return { engine: "postgres", url: text };
  if (text === "memory:" || text === "memory://") return { engine: "memory" };
  if (scheme === "sqlite") {
    // `sqlite:///var/tasks.db` is the absolute path, as libraries of other languages write it.
    const path = text.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
    if (path === "") throw new Error(`${name} is sqlite: without a path; expected sqlite:PATH`);
    return { engine: "sqlite", path };
  }
  // A path may have a colon in it; what looks like the URL of a server is no path.
  if (!looksLikeServer.test(text)) return { engine: "sqlite", path: text };
  throw unknownScheme(name, text, { known: ["postgres", "sqlite", "memory"], forms: storeForms });
}

/** Reads where a bus is. `name` is what an error calls the text. Throws for a scheme that no bus has. */
export function parseBusPlace(text: string, name: string): BusPlace {
  const scheme = schemeOf(text);
  if (scheme === "postgres" || scheme === "postgresql") return { engine: "postgres", url: text };
  if (scheme === "nats" || scheme === "tls") return { engine: "nats", url: text };
  if (text === "memory:" || text === "memory://") return { engine: "memory" };
  throw unknownScheme(name, text, { known: ["nats", "tls", "postgres"], forms: busForms });
}

function schemeOf(text: string): string | undefined {
  return /^([a-z][a-z\d+.-]+):/i.exec(text)?.[1]?.toLowerCase();
}

/** An error that shows no more of the text than its scheme: the rest may hold a password. */
function unknownScheme(
  name: string,
  text: string,
  { known, forms }: { readonly known: readonly string[]; readonly forms: string },
): Error {
  const scheme = schemeOf(text);
  if (scheme === undefined) return new Error(`${name} names no scheme; expected ${forms}`);
  const meant = nearestTo(scheme, known);
  const hint = meant === undefined ? "" : `; did you mean ${meant}:?`;
  return new Error(`${name} begins with ${scheme}:; expected ${forms}${hint}`);
}
