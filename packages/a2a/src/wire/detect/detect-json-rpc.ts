import { nearestTo } from "../../options/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { ProtocolOperation, ProtocolVersion } from "../../protocol/internal.js";
import { describe, isJsonObject } from "../../protocol/parse/internal.js";
import { codecs } from "../codecs.js";
import type { Dialect } from "../dialect.js";
import { unpackMethodParams } from "../method-call.js";
import { hasMember } from "../members/named-member.js";
import { quote } from "../members/quote.js";
import {
  createVersionError,
  isAtLeastVersion1,
  parseVersion,
  versionParameter,
} from "../version.js";
import type { Detected, Refused } from "./detected.js";

export interface JsonRpcCall {
  readonly method: string;
  readonly params: unknown;
  /** The version as the request names it, from its header or its query. */
  readonly version: string | undefined;
  /**
   * Take the version and the method by the letter: a request that names no version asks for 0.3 (§3.6.2), and each version
   * has its own methods, under their final names.
   */
  readonly strict?: boolean;
  /** The dialect in which the task of the request was created, if that is known. */
  readonly createdIn?: Dialect;
  /** The methods that extensions define. */
  readonly extensionMethods?: ReadonlySet<string>;
}

/** The versions that have a method. A `shared` method means the same in 0.1 and in 0.3. */
type Grammar = "1.0" | "0.3" | "0.1" | "shared";

interface Method {
  readonly operation: ProtocolOperation;
  readonly grammar: Grammar;
  /** Whether the name is one that only drafts and prose have. */
  readonly isAlias: boolean;
}

const methods: ReadonlyMap<string, Method> = readMethods();

/** Finds the operation and the dialect of a JSON-RPC request, or the error that refuses it. */
export function detectJsonRpc(call: JsonRpcCall): Detected | Refused {
  const method = methods.get(call.method);
  let version: ProtocolVersion | undefined;
  try {
    version = parseVersion(call.version);
  } catch (error) {
    return refuse(call, A2AError.from(error));
  }
  if (method === undefined && call.extensionMethods?.has(call.method) === true) {
    return detectMethod(call, version);
  }
  const isStrict = call.strict === true;
  if (method === undefined || (isStrict && method.isAlias)) {
    const isOffered = ([, { grammar }]: readonly [string, Method]): boolean =>
      version === undefined || (grammar === "1.0") === (version === "1.0");
    const offered = [...methods]
      .filter((one) => isOffered(one) && !(isStrict && one[1].isAlias))
      .map(([name]) => name);
    if (call.extensionMethods !== undefined) offered.push(...call.extensionMethods);
    const meant = nearestTo(call.method, offered, 4);
    return refuse(call, notFound(`there is no method ${quote(call.method)}`, meant));
  }
  const isCurrent = method.grammar === "1.0";
  if (version !== undefined && isCurrent !== (version === "1.0")) {
    const meant = codecs[version === "0.2" ? "0.3" : version].jsonRpcMethods[method.operation];
    return refuse(call, notFound(`version ${version} has no method ${quote(call.method)}`, meant));
  }
  if (isCurrent && version === undefined && isStrict) {
    const problem = `without ${versionParameter} the version is 0.3, which has no method ${quote(call.method)}`;
    return refuse(call, createVersionError(problem, { requested: "0.3", supported: ["1.0"] }));
  }
  if (isStrict && isOtherEarlier(method.grammar, version)) {
    const named =
      version === undefined
        ? `without ${versionParameter} the version is 0.3, which`
        : `version ${version}`;
    return refuse(call, notFound(`${named} has no method ${quote(call.method)}`, undefined));
  }
  const { dialect, needsCreatedIn } = resolve(method.grammar, call, version);
  const { params } = call;
  if (params !== undefined && !isJsonObject(params)) return { error: notAnObject(params), dialect };
  return { operation: method.operation, dialect, needsCreatedIn };
}

/** A method of an extension is of no version: the request has to name the version of the answer, which is else 0.3. */
function detectMethod(
  { method, params }: JsonRpcCall,
  version: ProtocolVersion | undefined,
): Detected | Refused {
  const dialect = version === "0.1" || version === "1.0" ? version : "0.3";
  if (params !== undefined && !isJsonObject(params)) return { error: notAnObject(params), dialect };
  const whole = unpackMethodParams(method, params);
  return { operation: "callMethod", dialect, needsCreatedIn: false, params: whole };
}

/** Whether a method before 1.0 belongs to 0.1 and the version does not, or the other way round. */
function isOtherEarlier(grammar: Grammar, version: ProtocolVersion | undefined): boolean {
  return grammar === "0.1" ? version !== "0.1" : grammar === "0.3" && version === "0.1";
}

/** A caller who uses a method of 1.0, or asks for 1.0 or later, gets the error in the form of 1.0. */
function refuse(call: JsonRpcCall, error: A2AError): Refused {
  const readsCurrent = /^[A-Z]/.test(call.method) || isAtLeastVersion1(call.version);
  return { error, dialect: readsCurrent ? "1.0" : "0.3" };
}

/** True when the parts have `type` and none has `kind`: such a caller needs `type` in the answer. */
export function usesTypeParts(params: unknown): boolean {
  const message = isJsonObject(params) ? params["message"] : undefined;
  const parts = isJsonObject(message) ? message["parts"] : undefined;
  if (!Array.isArray(parts)) return false;
  let found = false;
  for (const part of parts as readonly unknown[]) {
    if (!isJsonObject(part)) continue;
    if (hasMember(part, "kind")) return false;
    found ||= hasMember(part, "type");
  }
  return found;
}

function resolve(
  grammar: Grammar,
  { params, createdIn, strict = false }: JsonRpcCall,
  version: ProtocolVersion | undefined,
): Omit<Detected, "operation"> {
  switch (grammar) {
    case "1.0":
    case "0.1":
      return { dialect: grammar, needsCreatedIn: false };
    case "0.3":
      return {
        dialect: !strict && usesTypeParts(params) ? "0.3+type" : "0.3",
        needsCreatedIn: false,
      };
    case "shared":
      if (version === "0.1") return { dialect: "0.1+0.3", needsCreatedIn: false };
      if (strict) return { dialect: "0.3", needsCreatedIn: false };
      return {
        dialect: sharedDialect(createdIn, version),
        needsCreatedIn: createdIn === undefined,
      };
  }
}

/** A caller that names no version may be of 0.1 if the task is. */
function sharedDialect(
  createdIn: Dialect | undefined,
  version: ProtocolVersion | undefined,
): Dialect {
  const isOldest = createdIn === "0.1" || createdIn === "0.1+0.3";
  if (isOldest && version === undefined) return "0.1+0.3";
  return createdIn === "0.3+type" ? "0.3+type" : "0.3";
}

function readMethods(): ReadonlyMap<string, Method> {
  const table = new Map<string, Method>();
  const add = (operation: string, name: string | undefined, grammar: Grammar, isAlias = false) => {
    if (name === undefined) return;
    table.set(name, { operation: operation as ProtocolOperation, grammar, isAlias });
  };
  for (const version of ["1.0", "0.3"] as const) {
    const { jsonRpcMethods, jsonRpcMethodAliases } = codecs[version];
    for (const [name, operation] of Object.entries(jsonRpcMethodAliases)) {
      add(operation, name, version, true);
    }
    for (const [operation, name] of Object.entries(jsonRpcMethods)) add(operation, name, version);
  }
  for (const [operation, name] of Object.entries(codecs["0.1"].jsonRpcMethods)) {
    add(operation, name, name !== undefined && table.has(name) ? "shared" : "0.1");
  }
  return table;
}

function notFound(found: string, meant: string | undefined): A2AError {
  const help = meant === undefined ? "" : `; did you mean ${quote(meant)}?`;
  return new A2AError("METHOD_NOT_FOUND", `${found}${help}`);
}

function notAnObject(params: unknown): A2AError {
  const description = `expected an object, got ${describe(params)}`;
  return new A2AError("INVALID_PARAMS", `params: ${description}`, {
    details: { fieldViolations: [{ field: "params", description }] },
  });
}
