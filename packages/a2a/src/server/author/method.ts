import { A2AError } from "../../protocol/internal.js";
import type {
  FieldViolation,
  JsonObject,
  JsonValue,
  Principal,
  ProtocolVersion,
} from "../../protocol/internal.js";

/** What the handler of an extension's method works with. */
export interface MethodContext {
  /** The name under which the method was called. */
  readonly method: string;
  /** Aborted when the caller goes away or its deadline passes, and when the node stops. */
  readonly signal: AbortSignal;
  /** The authenticated caller; absent for an anonymous one. */
  readonly caller?: Principal;
  readonly tenant?: string;
  /** The protocol version of the call. */
  readonly version: ProtocolVersion;
  /** Extensions that are active for this call, that of the method among them. */
  readonly extensions: readonly string[];
}

/** What a method answers with: JSON, where `undefined` stands for `null`. */
export type MethodResult = JsonValue | object | undefined | void;

/**
 * Answers a call of an extension's method, once. The result must be JSON. An `A2AError` reaches the caller as it is;
 * of anything else that it throws the caller learns nothing.
 */
export type MethodHandler = (
  params: JsonObject,
  context: MethodContext,
) => MethodResult | Promise<MethodResult>;

/** A schema as validation libraries provide it: https://standardschema.dev. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * A handler whose parameters keep a schema. A call that does not is refused with `INVALID_PARAMS` and the fields that are
 * wrong. Takes schemas of Zod, Valibot, ArkType and other libraries that follow the Standard Schema.
 *
 * @example
 * const quote = withParams(z.object({ symbol: z.string() }), ({ symbol }) => ({ price: priceOf(symbol) }));
 */
export function withParams<Params>(
  schema: StandardSchema<Params>,
  handler: (params: Params, context: MethodContext) => MethodResult | Promise<MethodResult>,
): MethodHandler {
  return async (params, context) => {
    const result = await schema["~standard"].validate(params);
    if (result.issues !== undefined) throw invalid(result.issues);
    return handler(result.value, context);
  };
}

/** More than these a caller does not read, and a reply need not repeat. */
const maxViolations = 20;

function invalid(issues: readonly SchemaIssue[]): A2AError {
  const fieldViolations = issues
    .slice(0, maxViolations)
    .map(({ path = [], message: description }): FieldViolation => ({
      field: path.reduce<string>((field, step) => {
        const key = typeof step === "object" ? step.key : step;
        if (typeof key === "number") return `${field}[${key}]`;
        return field === "" ? String(key) : `${field}.${String(key)}`;
      }, ""),
      description,
    }));
  const { field = "", description = "the parameters are not valid" } = fieldViolations[0] ?? {};
  const message = field === "" ? description : `${field}: ${description}`;
  return new A2AError("INVALID_PARAMS", message, { details: { fieldViolations } });
}
