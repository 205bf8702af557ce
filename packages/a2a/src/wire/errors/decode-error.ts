import { A2AError, errorCodes } from "../../protocol/internal.js";
import type { ErrorCode, ErrorDetails, FieldViolation } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Members } from "../../protocol/parse/internal.js";
import { codeOfHttpStatus } from "./http-statuses.js";
import { codeOfJsonRpcNumber } from "./json-rpc-codes.js";

/** What a peer's error says. Nothing is required, because peers differ. */
interface ErrorReport {
  readonly reason?: ErrorCode;
  readonly message?: string;
  readonly details: ErrorDetails;
}

/** Reads the list of typed details in an error of 1.0 (`error.data`, `error.details`). */
function readTypedDetails(items: readonly unknown[]): ErrorReport {
  const detail = (name: string): Members =>
    items.filter(isJsonObject).find(({ "@type": type }) => {
      return typeof type === "string" && type.endsWith(`google.rpc.${name}`);
    }) ?? {};
  const { reason, metadata } = detail("ErrorInfo");
  const { fieldViolations } = detail("BadRequest");
  const { retryDelay } = detail("RetryInfo");
  return report({ reason, metadata, fieldViolations, retryAfter: secondsOf(retryDelay) });
}

/** The seconds of a protobuf duration: `1.5s`. */
function secondsOf(duration: unknown): number | undefined {
  return typeof duration === "string"
    ? Number(/^(\d+(?:\.\d+)?)s$/.exec(duration)?.[1])
    : undefined;
}

/** Reads the `data` object in an error before 1.0. */
function readPlainDetails(data: Members): ErrorReport {
  const { reason, fieldViolations, retryAfter, details, ...metadata } = data;
  return {
    ...report({ reason, metadata, fieldViolations, retryAfter }),
    ...(typeof details === "string" && { message: details }),
  };
}

/** Reads `data` in either form. */
function readDetails(data: unknown): ErrorReport {
  if (Array.isArray(data)) return readTypedDetails(data);
  return isJsonObject(data) ? readPlainDetails(data) : { details: {} };
}

/** The error of a peer: by its reason, or else by its number or status. */
function peerError(
  report: ErrorReport,
  { code, message }: { readonly code: ErrorCode; readonly message: unknown },
): A2AError {
  const written = typeof message === "string" && message !== "" ? message : undefined;
  const reason = report.reason ?? code;
  const text = report.message ?? written ?? `the agent answered ${reason}`;
  return new A2AError(reason, text, { details: report.details });
}

/** Creates the decoder of JSON-RPC errors for the error numbers of a version. */
/* @__NO_SIDE_EFFECTS__ */
export function jsonRpcErrorDecoder(
  codeOf: (number: unknown) => ErrorCode | undefined,
): (error: unknown) => A2AError {
  return (error) => {
    if (!isJsonObject(error)) {
      const message = "the agent answered with an unreadable error";
      return new A2AError("INVALID_AGENT_RESPONSE", message, { cause: error });
    }
    const code = codeOf(error["code"]) ?? "INTERNAL";
    return peerError(readDetails(error["data"]), { code, message: error["message"] });
  };
}

/** Decodes a JSON-RPC error of any version but 0.1, which has numbers of its own. */
export const decodeJsonRpcError: (error: unknown) => A2AError =
  jsonRpcErrorDecoder(codeOfJsonRpcNumber);

/**
 * Decodes an HTTP error in any form that REST peers use: the `{error: {…}}` of 1.0, the bare JSON-RPC
 * error of 0.3 (which says more, where a body has both), a problem document, or nothing readable at all.
 */
export function decodeHttpError(status: number, body: unknown): A2AError {
  const outer = isJsonObject(body) ? body : {};
  const inner = !outer["data"] && isJsonObject(outer["error"]) ? outer["error"] : outer;
  const details = inner["details"];
  const report = Array.isArray(details) ? readTypedDetails(details) : readDetails(inner["data"]);
  const code = codeOfJsonRpcNumber(inner["code"]) ?? codeOfHttpStatus(status);
  const message = inner["message"] ?? inner["detail"] ?? inner["title"];
  return peerError(report, { code, message: message ?? `the agent answered with HTTP ${status}` });
}

/** The error of a gRPC peer, from its typed details in JSON. */
export function decodeTypedError(
  details: readonly unknown[],
  implied: { readonly code: ErrorCode; readonly message: unknown },
): A2AError {
  return peerError(readTypedDetails(details), implied);
}

function report({ reason, metadata, fieldViolations, retryAfter }: Members): ErrorReport {
  const strings = isJsonObject(metadata) ? stringMembers(metadata) : {};
  const violations = Array.isArray(fieldViolations) ? fieldViolations.flatMap(violation) : [];
  const code = errorCodes.find((one) => one === reason);
  return {
    ...(code !== undefined && { reason: code }),
    details: {
      ...(violations.length > 0 && { fieldViolations: violations }),
      ...(Object.keys(strings).length > 0 && { metadata: strings }),
      ...(isDelay(retryAfter) && { retryAfterSeconds: retryAfter }),
    },
  };
}

function isDelay(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Infinity;
}

function violation(value: unknown): readonly FieldViolation[] {
  const { field, description } = isJsonObject(value) ? value : {};
  return typeof field === "string" && typeof description === "string"
    ? [{ field, description }]
    : [];
}

function stringMembers(source: Members): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(source).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
