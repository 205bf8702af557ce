import { notThere, Refusal } from "./refusal.js";

/** A request that was let in, and what its path names. */
export interface RoutedRequest {
  readonly request: Request;
  readonly query: URLSearchParams;
  /** The parts of the path that the route leaves open, by their names. */
  readonly path: Readonly<Record<string, string>>;
  /** Who asks. */
  readonly subject: string;
}

/** Answers with a response, or with what becomes JSON. */
export type Route = (routed: RoutedRequest) => Promise<unknown>;

/** Routes by method and path: `POST connections/:id/call`. */
export type Routes = Readonly<Record<string, Route>>;

interface Parsed {
  readonly method: string;
  readonly parts: readonly string[];
  readonly route: Route;
}

/** Creates a function that finds the route of a request. */
export function createRouter(
  routes: Routes,
): (request: Request, url: URL, subject: string) => Promise<unknown> {
  const parsed: readonly Parsed[] = Object.entries(routes).map(([name, route]) => {
    const [method = "", path = ""] = name.split(" ");
    return { method, parts: path.split("/"), route };
  });
  return async (request, url, subject) => {
    const parts = url.pathname
      .replace(/^\/api\//, "")
      .split("/")
      .map(decoded);
    const there = parsed.flatMap((one) => {
      const path = matched(one.parts, parts);
      return path === undefined ? [] : [{ ...one, path }];
    });
    const found = there.find(({ method }) => method === request.method);
    if (found !== undefined) {
      return found.route({ request, query: url.searchParams, path: found.path, subject });
    }
    if (there.length === 0) throw notThere("route of this name");
    const allowed = there.map(({ method }) => method).join(", ");
    throw new Refusal(405, "METHOD_NOT_FOUND", `this route takes ${allowed}`);
  };
}

function matched(
  pattern: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const path: Record<string, string> = {};
  for (const [at, one] of pattern.entries()) {
    const part = parts[at] ?? "";
    if (one.startsWith(":")) path[one.slice(1)] = part;
    else if (one !== part) return undefined;
  }
  return path;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw notThere("route of this name");
  }
}
