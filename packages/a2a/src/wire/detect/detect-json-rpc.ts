import { A2AError } from "../../protocol/internal.js";
import type { Operation, ProtocolVersion } from "../../protocol/internal.js";
import { describe } from "../../protocol/parse/internal.js";
import type { Detected, Refused } from "./detected.js";
import type { Dialect } from "../dialect.js";
import { hasMember, isObject } from "../members/is-object.js";
import { quote } from "../members/quote.js";
import { methods as oldestMethods } from "../v0.1/methods.js";
import { methodAliases as slashAliases, methods as slashMethods } from "../v0.3/methods.js";
import { methodAliases, methods } from "../v1.0/methods.js";
import { createVersionError, isAtLeastVersion1, parseVersion } from "../version.js";

export interface JsonRpcCall {
  readonly method: string;
  readonly params: unknown;
  /** The version as the request names it, from its header or its query. */
  readonly version: string | undefined;
  /** Refuse 1.0 methods of a request that names no version, which by §3.6.2 asks for 0.3. */
  readonly strictVersion?: boolean;
  /** The dialect in which the task of the request was created, if that is known. */
  readonly createdIn?: Dialect;
}

/** In which versions a method exists. `shared` ones mean the same in 0.1 and in 0.3. */
type Grammar = "1.0" | "0.3" | "0.1" | "shared";

interface Method {
  readonly operation: Operation;
  readonly grammar: Grammar;
}

const known: ReadonlyMap<string, Method> = readTables();

/** Which operation in which dialect a JSON-RPC request asks for, or why it is refused. */
export function detectJsonRpc(call: JsonRpcCall): Detected | Refused {
  const method = known.get(call.method);
  let version: ProtocolVersion | undefined;
  try {
    version = parseVersion(call.version);
  } catch (error) {
    return refuse(call, A2AError.from(error));
  }
  if (method === undefined) {
    return refuse(call, notFound(`there is no method ${quote(call.method)}`));
  }
  const is10 = method.grammar === "1.0";
  if (version !== undefined && is10 !== (version === "1.0")) {
    return refuse(call, notFound(`version ${version} has no method ${quote(call.method)}`));
  }
  if (is10 && version === undefined && call.strictVersion === true) {
    const problem = `no version means 0.3, which has no method ${quote(call.method)}`;
    return refuse(call, createVersionError(problem, { requested: "0.3", supported: ["1.0"] }));
  }
  const { dialect, needsCreatedIn } = resolve(method.grammar, call, version);
  const { params } = call;
  if (params !== undefined && !isObject(params)) return { error: notAnObject(params), dialect };
  return { operation: method.operation, dialect, needsCreatedIn };
}

/** Whoever uses a name of 1.0, or asks for it or a later version, reads its errors. */
function refuse(call: JsonRpcCall, error: A2AError): Refused {
  const reads10 = /^[A-Z]/.test(call.method) || isAtLeastVersion1(call.version);
  return { error, dialect: reads10 ? "1.0" : "0.3" };
}

/** True when parts are keyed by `type`, and none by `kind`: such a caller reads no other answer. */
export function usesTypeParts(params: unknown): boolean {
  const message = isObject(params) ? params["message"] : undefined;
  const parts = isObject(message) ? message["parts"] : undefined;
  if (!Array.isArray(parts)) return false;
  let found = false;
  for (const part of parts as readonly unknown[]) {
    if (!isObject(part)) continue;
    if (hasMember(part, "kind")) return false;
    found ||= hasMember(part, "type");
  }
  return found;
}

function resolve(
  grammar: Grammar,
  { params, createdIn }: JsonRpcCall,
  version: ProtocolVersion | undefined,
): Omit<Detected, "operation"> {
  switch (grammar) {
    case "1.0":
    case "0.1":
      return { dialect: grammar, needsCreatedIn: false };
    case "0.3":
      return { dialect: usesTypeParts(params) ? "0.3+type" : "0.3", needsCreatedIn: false };
    case "shared":
      if (version === "0.1") return { dialect: "0.1+0.3", needsCreatedIn: false };
      return { dialect: sharedDialect(createdIn), needsCreatedIn: createdIn === undefined };
  }
}

function sharedDialect(createdIn: Dialect | undefined): Dialect {
  if (createdIn === "0.1" || createdIn === "0.1+0.3") return "0.1+0.3";
  return createdIn === "0.3+type" ? "0.3+type" : "0.3";
}

function readTables(): ReadonlyMap<string, Method> {
  const table = new Map<string, Method>();
  const add = (operation: string, name: string | undefined, grammar: Grammar) => {
    if (name !== undefined) table.set(name, { operation: operation as Operation, grammar });
  };
  for (const [operation, name] of Object.entries(methods)) add(operation, name, "1.0");
  for (const [name, operation] of Object.entries(methodAliases)) add(operation, name, "1.0");
  for (const [name, operation] of Object.entries(slashAliases)) add(operation, name, "0.3");
  for (const [operation, name] of Object.entries(slashMethods)) add(operation, name, "0.3");
  for (const [operation, name] of Object.entries(oldestMethods)) {
    add(operation, name, name !== undefined && table.has(name) ? "shared" : "0.1");
  }
  return table;
}

function notFound(message: string): A2AError {
  return new A2AError("METHOD_NOT_FOUND", message);
}

function notAnObject(params: unknown): A2AError {
  const description = `expected an object, got ${describe(params)}`;
  return new A2AError("INVALID_PARAMS", `params: ${description}`, {
    details: { fieldViolations: [{ field: "params", description }] },
  });
}
