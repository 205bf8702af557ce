import type { ProtocolOperation } from "../../protocol/internal.js";
import { methodSegment } from "./rest-routes.js";
import type { RestFamily, RestHttpMethod, RestRoute, RestSegment } from "./rest-routes.js";
import { isReservedTenant, servedRoutes } from "./served-routes.js";

export interface MatchedRoute {
  readonly kind: "route";
  readonly family: RestFamily;
  readonly operation: ProtocolOperation;
  /** Whether no published version has the path. */
  readonly isDraft?: true;
  readonly tenant?: string;
  /** The decoded ids of the path, by the names of the request's parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/** A path for a method that an extension defines. */
export interface MatchedMethod {
  readonly kind: "method";
  readonly family: RestFamily;
  readonly method: string;
  readonly tenant?: string;
}

export type RestMatch =
  | MatchedRoute
  | MatchedMethod
  | { readonly kind: "not-found"; readonly family: RestFamily }
  | {
      readonly kind: "method-not-allowed";
      readonly family: RestFamily;
      readonly allowed: readonly RestHttpMethod[];
    };

export interface RestMatchOptions {
  /** Take a leading `v1` for a tenant of 1.0, not for the start of a path of 0.3. */
  readonly v1IsTenant?: boolean;
}

/** A segment as written, in which a verb differs from an id, and decoded. */
interface PathSegment {
  readonly raw: string;
  readonly text: string;
}

const routesByLength: ReadonlyMap<number, readonly RestRoute[]> = groupByLength();

/**
 * Finds the route of a method and a path, which is relative to the interface's URL. An escaped colon or
 * slash is part of an id. Only an unescaped colon starts a verb; of several, the last one does.
 */
export function matchRestRoute(
  httpMethod: string,
  path: string,
  { v1IsTenant = false }: RestMatchOptions = {},
): RestMatch {
  const segments = readSegments(path);
  const first = segments[0]?.text;
  const isEarlier = first === "agent" || (first === "v1" && !v1IsTenant);
  const family = isEarlier ? "0.3" : "1.0";
  const tenant = segments.length > 1 && isTenant(first, v1IsTenant) ? first : undefined;
  const below = tenant === undefined ? segments : segments.slice(1);
  const named = tenant === undefined ? {} : { tenant };
  const method = methodIn(isEarlier ? below.slice(1) : below);
  if (method !== undefined) return { kind: "method", family, method, ...named };
  const candidates = findRoutes(family, below);
  if (candidates.length === 0) return { kind: "not-found", family };
  const found = candidates.find(({ route }) => route.httpMethod === httpMethod);
  if (found === undefined) {
    const allowed = new Set(candidates.map(({ route }) => route.httpMethod));
    return { kind: "method-not-allowed", family, allowed: [...allowed].toSorted() };
  }
  const { route, params } = found;
  const { operation, isDraft } = route;
  return { kind: "route", family, operation, params, ...named, ...(isDraft && { isDraft }) };
}

/** The name of an extension's method that a path has, slashes included. */
function methodIn([first, ...words]: readonly PathSegment[]): string | undefined {
  if (first?.raw !== methodSegment || words.length === 0) return undefined;
  return words.map(({ text }) => text).join("/");
}

function isTenant(name: string | undefined, v1IsTenant: boolean): boolean {
  return name !== undefined && (!isReservedTenant(name) || (v1IsTenant && name === "v1"));
}

/** The segments of a path; none when the path has a malformed escape. */
function readSegments(path: string): readonly PathSegment[] {
  const [, ...raws] = path.split("/");
  try {
    return raws.map((raw) => ({ raw, text: raw.includes("%") ? decodeURIComponent(raw) : raw }));
  } catch {
    return [];
  }
}

interface Candidate {
  readonly route: RestRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The routes with this path and any method. A route with a verb wins over one with a plain id. */
function findRoutes(family: RestFamily, path: readonly PathSegment[]): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const route of routesByLength.get(path.length) ?? []) {
    const params = route.family === family ? matchSegments(route.segments, path) : undefined;
    if (params !== undefined) candidates.push({ route, params });
  }
  const withVerb = candidates.filter(({ route }) => hasVerb(route.segments.at(-1)));
  return withVerb.length > 0 ? withVerb : candidates;
}

function hasVerb(segment: RestSegment | undefined): boolean {
  return typeof segment === "object" && segment.verb !== "";
}

function matchSegments(
  expected: readonly RestSegment[],
  path: readonly PathSegment[],
): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const { raw = "", text = "" } = path[index] ?? {};
    if (typeof segment === "string") {
      if (text !== segment) return undefined;
      continue;
    }
    const id = text.slice(0, text.length - segment.verb.length);
    if (id === "" || !raw.endsWith(segment.verb)) return undefined;
    params[segment.parameter] = id;
  }
  return params;
}

function groupByLength(): ReadonlyMap<number, readonly RestRoute[]> {
  const groups = new Map<number, RestRoute[]>();
  for (const route of servedRoutes) {
    const group = groups.get(route.segments.length) ?? [];
    groups.set(route.segments.length, [...group, route]);
  }
  return groups;
}
