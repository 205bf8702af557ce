import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

/**
 * Where the page is. The address is a fragment, `#/tasks/7f3a?seq=41`: the files stay static at any path, and what a
 * route names never reaches a server's log.
 */
export interface Route {
  /** `["tasks", "7f3a"]`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const current = signal<Route>(parseRoute(location.hash));

export const route: ReadonlySignal<Route> = current;

addEventListener("hashchange", () => {
  const { path, query } = current.peek();
  if (href(path, Object.fromEntries(query)) !== location.hash) {
    current.value = parseRoute(location.hash);
  }
});

function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return {
    path: path.split("/").filter(Boolean).map(decode),
    query: new URLSearchParams(query),
  };
}

/** The address of a route, for links. */
export function href(
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(query).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

export function navigate(
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): void {
  location.hash = href(path, query);
  // The event comes later, and what runs until then must know where it is.
  current.value = parseRoute(location.hash);
}

/** Changes members of the query without a new entry in the history. `undefined` takes one away. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = current.peek();
  const members = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) members.delete(name);
    else members.set(name, value);
  }
  if (members.toString() === query.toString()) return;
  history.replaceState(null, "", href(path, Object.fromEntries(members)));
  current.value = { path, query: members };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
