import type { Operation } from "../../protocol/internal.js";
import { isReservedTenant, restRoutes } from "./rest-routes.js";
import type { RestFamily, RestHttpMethod, RestRoute, RestSegment } from "./rest-routes.js";

export interface MatchedRoute {
  readonly kind: "route";
  readonly family: RestFamily;
  readonly operation: Operation;
  readonly tenant?: string;
  /** The ids in the path, decoded, by the names of the request's parameters. */
  readonly params: Readonly<Record<string, string>>;
}

export type RestMatch =
  | MatchedRoute
  | { readonly kind: "not-found"; readonly family: RestFamily }
  | {
      readonly kind: "method-not-allowed";
      readonly family: RestFamily;
      readonly allowed: readonly RestHttpMethod[];
    };

export interface RestMatchOptions {
  /** Read a leading `v1` as a tenant of 1.0, not as the start of the paths of 0.3. */
  readonly v1IsTenant?: boolean;
}

/** A segment as it was written, where a verb is told from an id, and decoded. */
interface PathSegment {
  readonly raw: string;
  readonly text: string;
}

const routesByLength: ReadonlyMap<number, readonly RestRoute[]> = groupByLength();

/**
 * What a method and a path relative to the interface's URL ask for. An escaped colon or slash belongs
 * to its id: only a colon as such starts a verb, and of several the last.
 */
export function matchRestRoute(
  httpMethod: string,
  path: string,
  { v1IsTenant = false }: RestMatchOptions = {},
): RestMatch {
  const segments = readSegments(path);
  const first = segments[0]?.text;
  const isOlder = first === "agent" || (first === "v1" && !v1IsTenant);
  const family = isOlder ? "0.3" : "1.0";
  const tenant = segments.length > 1 && isTenant(first, v1IsTenant) ? first : undefined;
  const candidates = findRoutes(family, tenant === undefined ? segments : segments.slice(1));
  if (candidates.length === 0) return { kind: "not-found", family };
  const found = candidates.find(({ route }) => route.httpMethod === httpMethod);
  if (found === undefined) {
    const allowed = new Set(candidates.map(({ route }) => route.httpMethod));
    return { kind: "method-not-allowed", family, allowed: [...allowed].toSorted() };
  }
  const { route, params } = found;
  const matched = { kind: "route", family, operation: route.operation, params } as const;
  return tenant === undefined ? matched : { ...matched, tenant };
}

function isTenant(name: string | undefined, v1IsTenant: boolean): boolean {
  return name !== undefined && (!isReservedTenant(name) || (v1IsTenant && name === "v1"));
}

/** The segments of a path; none when an escape in it is malformed. */
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

/** The routes whose path it is, whatever their method. An id with a verb is no plain id. */
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
  for (const route of restRoutes) {
    const group = groups.get(route.segments.length) ?? [];
    groups.set(route.segments.length, [...group, route]);
  }
  return groups;
}
