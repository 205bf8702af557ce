import { A2AError, protocolVersions } from "../../protocol/internal.js";
import type { ProtocolVersion } from "../../protocol/internal.js";
import { describe } from "../../protocol/parse/internal.js";
import type { Detected, Refused } from "./detected.js";
import type { Dialect } from "../dialect.js";
import { isObject } from "../members/is-object.js";
import { matchRestRoute } from "../rest/match-rest-route.js";
import type { MatchedRoute, RestMatch } from "../rest/match-rest-route.js";
import { quote } from "../members/quote.js";
import { decodeRestQuery } from "../rest/rest-query.js";
import type { RestFamily, RestHttpMethod } from "../rest/rest-routes.js";
import { sniffRestBody } from "./sniff-rest-body.js";
import { createVersionError, isAtLeastVersion1, majorMinor, parseVersion } from "../version.js";

export interface RestCall {
  readonly httpMethod: string;
  /** Relative to the interface's URL, escapes and all. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The version as the request names it, from its header or its query. */
  readonly version: string | undefined;
  /** The parsed body; undefined when there is none. */
  readonly body: unknown;
  /** Refuse 1.0 paths of a request that names no version, which by §3.6.2 asks for 0.3. */
  readonly strictVersion?: boolean;
  /** The dialect in which the task of the request was created, if that is known. */
  readonly taskOrigin?: Dialect;
  /** Whether such a tenant exists; asked for `v1` only, which the paths of 0.3 start with. */
  readonly hasTenant?: (name: string) => boolean;
}

/** What a REST request asks for, with its parameters. */
export interface DetectedRest extends Detected {
  /** Body, query and path joined, for the codec. */
  readonly params: unknown;
}

/** A REST request that is refused before any codec reads it. */
export interface RefusedRest extends Refused {
  /** Set when the path exists but not with this method. */
  readonly allowed?: readonly RestHttpMethod[];
}

/** Which operation in which dialect a REST request asks for, or why it is refused. */
export function detectRest(call: RestCall): DetectedRest | RefusedRest {
  const match = findRoute(call);
  const dialect = match.family === "1.0" || isAtLeastVersion1(call.version) ? "1.0" : "0.3-proto";
  try {
    const version = parseVersion(call.version);
    if (match.kind !== "not-found") checkVersion(match.family, version, call);
    if (match.kind !== "route") return refuse(match, call, dialect);
    const params = joinParams(match, call);
    return { operation: match.operation, ...resolve(match, call), params };
  } catch (error) {
    return { error: A2AError.from(error), dialect };
  }
}

function findRoute({ httpMethod, path, version, hasTenant }: RestCall): RestMatch {
  const match = matchRestRoute(httpMethod, path);
  if (match.family === "1.0" || majorMinor(version ?? "") !== "1.0") return match;
  const v1IsTenant = hasTenant?.("v1") === true;
  return v1IsTenant ? matchRestRoute(httpMethod, path, { v1IsTenant }) : match;
}

const olderVersions = protocolVersions.filter((version) => version !== "1.0");

function checkVersion(
  family: RestFamily,
  version: ProtocolVersion | undefined,
  { path, strictVersion = false }: RestCall,
): void {
  const requested = version ?? (strictVersion || family === "0.3" ? "0.3" : "1.0");
  if ((requested === "1.0") === (family === "1.0")) return;
  const named = version === undefined ? "no version means 0.3, which" : `version ${version}`;
  throw createVersionError(`${named} has no path ${quote(path)}`, {
    requested,
    supported: family === "1.0" ? ["1.0"] : olderVersions,
  });
}

function refuse(
  match: Exclude<RestMatch, MatchedRoute>,
  { httpMethod, path }: RestCall,
  dialect: Dialect,
): RefusedRest {
  if (match.kind === "not-found") {
    const error = new A2AError("METHOD_NOT_FOUND", `there is no path ${quote(path)}`);
    return { error, dialect };
  }
  const { allowed } = match;
  const problem = `${quote(path)} does not take ${quote(httpMethod)}; it takes ${allowed.join(", ")}`;
  return { error: new A2AError("METHOD_NOT_FOUND", problem), dialect, allowed };
}

function resolve(
  { family, operation }: MatchedRoute,
  { body, taskOrigin }: RestCall,
): Pick<Detected, "dialect" | "byOrigin"> {
  if (family === "1.0") return { dialect: "1.0", byOrigin: false };
  switch (operation) {
    case "sendMessage":
    case "sendStreamingMessage":
    case "createTaskPushNotificationConfig":
      return { dialect: sniffRestBody(body), byOrigin: false };
    case "listTasks":
      return { dialect: "0.3-proto", byOrigin: false };
    case "getExtendedAgentCard":
      // Whatever the shape of its other answers, an agent's 0.3 card is in that of the schema.
      return { dialect: "0.3-schema", byOrigin: false };
    case "getTask":
    case "cancelTask":
    case "subscribeToTask":
    case "getTaskPushNotificationConfig":
    case "listTaskPushNotificationConfigs":
    case "deleteTaskPushNotificationConfig": {
      const dialect = taskOrigin === "0.3-schema" ? taskOrigin : "0.3-proto";
      return { dialect, byOrigin: taskOrigin === undefined };
    }
  }
}

/** The path wins over the query and the query over the body; but nobody names two tenants. */
function joinParams({ params, tenant }: MatchedRoute, call: RestCall): unknown {
  const body = readBody(call);
  const query = decodeRestQuery(call.query);
  const tenants = [tenant, query["tenant"], body["tenant"]].filter((name) => (name ?? "") !== "");
  if (new Set(tenants).size > 1) fail("expected one tenant, got several", "tenant");
  const added = { ...query, ...params, ...(tenants.length > 0 && { tenant: tenants[0] }) };
  return Object.keys(added).length === 0 ? body : { ...body, ...added };
}

/** What has no body is written by some clients as `null`, by others as nothing. */
function readBody({ httpMethod, body }: RestCall): Readonly<Record<string, unknown>> {
  if (httpMethod !== "POST" || body === undefined || body === null) return {};
  return isObject(body) ? body : fail(`expected an object, got ${describe(body)}`, "");
}

function fail(description: string, field: string): never {
  throw new A2AError("INVALID_PARAMS", field === "" ? description : `${field}: ${description}`, {
    details: { fieldViolations: [{ field, description }] },
  });
}
