import { A2AError, protocolVersions } from "../../protocol/internal.js";
import type { ProtocolVersion } from "../../protocol/internal.js";
import { describe, isJsonObject } from "../../protocol/parse/internal.js";
import type { Members } from "../../protocol/parse/internal.js";
import type { Dialect } from "../dialect.js";
import { unpackMethodParams } from "../method-call.js";
import { quote } from "../members/quote.js";
import { matchRestRoute } from "../rest/match-rest-route.js";
import type { MatchedMethod, MatchedRoute, RestMatch } from "../rest/match-rest-route.js";
import { decodeRestQuery } from "../rest/rest-query.js";
import type { RestFamily, RestHttpMethod } from "../rest/rest-routes.js";
import {
  createVersionError,
  isAtLeastVersion1,
  majorMinor,
  parseVersion,
  versionParameter,
} from "../version.js";
import type { Detected, Refused } from "./detected.js";
import { sniffRestBody } from "./sniff-rest-body.js";

export interface RestCall {
  readonly httpMethod: string;
  /** Relative to the interface's URL, with its escapes. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The version as the request names it, from its header or its query. */
  readonly version: string | undefined;
  /** The parsed body; `undefined` when there is none. */
  readonly body: unknown;
  /** Refuse paths of drafts, and paths of 1.0 in a request that names no version: by §3.6.2 it asks for 0.3. */
  readonly strict?: boolean;
  /** The dialect in which the task of the request was created, if that is known. */
  readonly createdIn?: Dialect;
  /** True when the tenant exists. Called for `v1` only, because the paths of 0.3 start with it. */
  readonly hasTenant?: (name: string) => boolean;
  /** The methods that extensions define. */
  readonly extensionMethods?: ReadonlySet<string>;
}

/** What a REST request asks for, with its parameters. */
export interface DetectedRest extends Detected {
  /** The members of body, query and path in one object, for the codec. */
  readonly params: unknown;
}

/** A REST request that is refused before any codec reads it. */
export interface RefusedRest extends Refused {
  /** The methods of the path, when it does not take the method of the request. */
  readonly allowed?: readonly RestHttpMethod[];
}

/** Finds the operation, the dialect and the parameters of a REST request, or the error that refuses it. */
export function detectRest(call: RestCall): DetectedRest | RefusedRest {
  const match = findRoute(call);
  const dialect = match.family === "1.0" || isAtLeastVersion1(call.version) ? "1.0" : "0.3-proto";
  try {
    const version = parseVersion(call.version);
    if (match.kind !== "not-found") checkVersion(match.family, version, call);
    if (match.kind === "method") {
      const params = unpackMethodParams(match.method, joinTenants(match, call));
      return { operation: "callMethod", dialect, needsCreatedIn: false, params };
    }
    if (match.kind !== "route") return refuse(match, call, dialect);
    const params = joinParams(match, call);
    return { operation: match.operation, ...resolve(match, call), params };
  } catch (error) {
    return { error: A2AError.from(error), dialect };
  }
}

function findRoute(call: RestCall): RestMatch {
  const { httpMethod, path, version, strict, hasTenant } = call;
  const match = matchRestRoute(httpMethod, path);
  if (strict === true && match.kind === "route" && match.isDraft === true) {
    return { kind: "not-found", family: match.family };
  }
  if (match.family === "1.0" || majorMinor(version ?? "") !== "1.0") return ifThere(match, call);
  const v1IsTenant = hasTenant?.("v1") === true;
  return ifThere(v1IsTenant ? matchRestRoute(httpMethod, path, { v1IsTenant }) : match, call);
}

/** A method that no extension defines has no path. */
function ifThere(match: RestMatch, { httpMethod, extensionMethods }: RestCall): RestMatch {
  if (match.kind !== "method") return match;
  const { family, method } = match;
  if (extensionMethods?.has(method) !== true) return { kind: "not-found", family };
  return httpMethod === "POST" ? match : { kind: "method-not-allowed", family, allowed: ["POST"] };
}

const olderVersions = protocolVersions.filter((version) => version !== "1.0");

function checkVersion(
  family: RestFamily,
  version: ProtocolVersion | undefined,
  { path, strict = false }: RestCall,
): void {
  const requested = version ?? (strict || family === "0.3" ? "0.3" : "1.0");
  if ((requested === "1.0") === (family === "1.0")) return;
  const named =
    version === undefined
      ? `without ${versionParameter} the version is 0.3, which`
      : `version ${version}`;
  throw createVersionError(`${named} has no path ${quote(path)}`, {
    requested,
    supported: family === "1.0" ? ["1.0"] : olderVersions,
  });
}

function refuse(
  match: Exclude<RestMatch, MatchedRoute | MatchedMethod>,
  { httpMethod, path }: RestCall,
  dialect: Dialect,
): RefusedRest {
  if (match.kind === "not-found") {
    const error = new A2AError("METHOD_NOT_FOUND", `there is no path ${quote(path)}`);
    return { error, dialect };
  }
  const { allowed } = match;
  const problem = `${quote(path)} does not accept ${quote(httpMethod)}; it accepts ${allowed.join(", ")}`;
  return { error: new A2AError("METHOD_NOT_FOUND", problem), dialect, allowed };
}

function resolve(
  { family, operation }: MatchedRoute,
  { body, createdIn }: RestCall,
): Pick<Detected, "dialect" | "needsCreatedIn"> {
  if (family === "1.0") return { dialect: "1.0", needsCreatedIn: false };
  switch (operation) {
    case "sendMessage":
    case "sendStreamingMessage":
      return { dialect: sniffRestBody(body), needsCreatedIn: false };
    case "listTasks":
      return { dialect: "0.3-proto", needsCreatedIn: false };
    case "getExtendedAgentCard":
      // The card of 0.3 has the shape of the JSON schema, whatever shape the other answers have.
      return { dialect: "0.3-schema", needsCreatedIn: false };
    case "getTask":
    case "cancelTask":
    case "subscribeToTask":
    case "createTaskPushNotificationConfig":
    case "getTaskPushNotificationConfig":
    case "listTaskPushNotificationConfigs":
    case "deleteTaskPushNotificationConfig": {
      const dialect = createdIn === "0.3-schema" ? createdIn : "0.3-proto";
      return { dialect, needsCreatedIn: createdIn === undefined };
    }
  }
}

/** The path wins over the query, and the query over the body. Two different tenants are refused. */
function joinParams({ params, tenant }: MatchedRoute, call: RestCall): unknown {
  const body = readBody(call);
  const query = decodeRestQuery(call.query);
  const added = { ...query, ...params, ...oneTenant(tenant, query["tenant"], body["tenant"]) };
  return Object.keys(added).length === 0 ? body : { ...body, ...added };
}

/** The parameters of an extension's method are all in the body, save the tenant. */
function joinTenants({ tenant }: MatchedMethod, call: RestCall): Members {
  const body = readBody(call);
  const { tenant: asked } = decodeRestQuery(call.query);
  return { ...body, ...oneTenant(tenant, asked, body["tenant"]) };
}

function oneTenant(...named: readonly unknown[]): { readonly tenant?: unknown } {
  const tenants = named.filter((name) => (name ?? "") !== "");
  if (new Set(tenants).size > 1) fail("expected one tenant, got several", "tenant");
  return tenants.length > 0 ? { tenant: tenants[0] } : {};
}

/** The members of the body; none without a body, for which some clients send `null`. */
function readBody({ httpMethod, body }: RestCall): Members {
  if (httpMethod !== "POST" || body === undefined || body === null) return {};
  return isJsonObject(body) ? body : fail(`expected an object, got ${describe(body)}`, "");
}

function fail(description: string, field: string): never {
  throw new A2AError("INVALID_PARAMS", field === "" ? description : `${field}: ${description}`, {
    details: { fieldViolations: [{ field, description }] },
  });
}
