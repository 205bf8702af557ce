import { A2AError } from "../../protocol/internal.js";
import type { JsonObject, JsonValue, Operation } from "../../protocol/internal.js";
import type { Dialect } from "../dialect.js";
import { packMethodParams } from "../method-call.js";
import { encodeRestQuery } from "./rest-query.js";
import { methodSegment, restRoute } from "./rest-routes.js";
import type { RestFamily, RestHttpMethod, RestRoute } from "./rest-routes.js";

/** A REST request: its method, where it goes, and its body. */
export interface RestRequest {
  readonly httpMethod: RestHttpMethod;
  /** To be appended to the interface's URL. */
  readonly path: string;
  /** Without the question mark; empty when there is no query. */
  readonly query: string;
  readonly body?: JsonObject;
}

const families: Readonly<Partial<Record<Dialect, RestFamily>>> = {
  "0.3-proto": "0.3",
  "0.3-schema": "0.3",
  "1.0": "1.0",
};

/**
 * Builds a REST request from the parameters that a codec encoded: ids and the tenant go into the path,
 * the rest into the query of a GET or DELETE or the body of a POST. Throws `INVALID_PARAMS` for an id
 * that cannot be part of a path.
 */
export function buildRestRequest(
  dialect: Dialect,
  operation: Operation,
  params: JsonObject,
): RestRequest {
  const family = families[dialect];
  const isMethod = operation === "callMethod";
  const route = isMethod ? methodRoute(family, params) : family && restRoute(family, operation);
  if (route === undefined) {
    throw new A2AError("UNSUPPORTED_OPERATION", `${dialect} has no REST path for ${operation}`);
  }
  const rest = new Map(Object.entries(isMethod ? packMethodParams(params) : params));
  const segments = route.segments.map((segment) =>
    typeof segment === "string" ? segment : takeId(rest, segment),
  );
  if (family === "1.0") segments.unshift(...takeTenant(rest));
  const { httpMethod } = route;
  const path = `/${segments.join("/")}`;
  const members: JsonObject = Object.fromEntries(rest);
  // A subscription has its parameters in the query, so that it can be repeated as a GET.
  if (httpMethod === "POST" && operation !== "subscribeToTask") {
    return { httpMethod, path, query: "", body: members };
  }
  return { httpMethod, path, query: encodeRestQuery(members) };
}

/** The name of a method is the rest of the path. */
function methodRoute(
  family: RestFamily | undefined,
  { method }: JsonObject,
): Pick<RestRoute, "httpMethod" | "segments"> {
  const words = (method as string).split("/");
  if (!words.every(isPathSegment)) throw unfit("method", "expected a name that can be a path");
  const before = family === "1.0" ? [] : ["v1"];
  return {
    httpMethod: "POST",
    segments: [...before, methodSegment, ...words.map(encodeURIComponent)],
  };
}

function takeId(
  rest: Map<string, JsonValue>,
  { parameter, verb }: { readonly parameter: string; readonly verb: string },
): string {
  const id = rest.get(parameter);
  rest.delete(parameter);
  if (typeof id === "string" && (isPathSegment(id) || (verb !== "" && isDots(id)))) {
    return `${encodeURIComponent(id)}${verb}`;
  }
  throw unfit(parameter, "expected an id that can be part of a path");
}

function unfit(field: string, description: string): A2AError {
  return new A2AError("INVALID_PARAMS", `${field}: ${description}`, {
    details: { fieldViolations: [{ field, description }] },
  });
}

/** Tenants that would turn the path into another path of the specification. */
const ambiguousTenants: ReadonlySet<string> = new Set(["tasks", "extendedAgentCard"]);

/** Takes the tenant for the path. A tenant that cannot be part of a path stays among the other members. */
function takeTenant(rest: Map<string, JsonValue>): readonly string[] {
  const tenant = rest.get("tenant");
  if (typeof tenant !== "string" || !isPathSegment(tenant)) return [];
  if (ambiguousTenants.has(tenant)) return [];
  rest.delete("tenant");
  return [encodeURIComponent(tenant)];
}

/** URL parsers take `.` and `..` for steps, even when they are escaped. */
function isDots(text: string): boolean {
  return text === "." || text === "..";
}

function isPathSegment(text: string): boolean {
  return text !== "" && !isDots(text) && text.isWellFormed();
}
