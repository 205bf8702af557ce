import { A2AError, defaultLimits } from "../protocol/internal.js";
import type { Exchange } from "./exchange.js";

/** How much of a refused caller's body is read: enough to answer in the dialect that it is written in. */
const refusedBodyBytes = 64 * 1024;

/**
 * Authenticates the caller before the body is read, so that callers who may not call cannot make this server
 * read much. Resolves to the error that refuses the caller, or to `undefined`. Returns `undefined` where agents
 * at one path differ in their authenticators: the body tells which agent is meant.
 */
export function refusalOf({ point, authenticate }: Exchange): Promise<unknown> | undefined {
  const [first, ...others] = point.agents;
  if (first?.auth === undefined || others.some(({ auth }) => auth !== first.auth)) return undefined;
  return authenticate(first).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** How many bytes of the body are read, given the error that refuses the caller, if there is one. */
export function bodyLimit({ options }: Exchange, refusal: unknown): number {
  const { maxBodyBytes } = options.limits ?? defaultLimits;
  return refusal === undefined ? maxBodyBytes : Math.min(maxBodyBytes, refusedBodyBytes);
}

/** Refuses a body whose headers say that it is not plain JSON. */
export function checkContentType({ request }: Exchange, expected: string): void {
  const encoding = request.header("content-encoding") ?? "identity";
  if (encoding !== "identity") refuse(`expected no Content-Encoding, got ${quote(encoding)}`);
  const type = request.header("content-type");
  if (type === "application/json") return;
  // A browser lets pages of any origin send a body without a type, without asking; other callers may omit it.
  const isOmitted = type === undefined && request.header("origin") === undefined;
  const [name = ""] = (type ?? "").split(";");
  if (isOmitted || /^application\/(?:[\w.+-]+\+)?json$/i.test(name.trim())) return;
  refuse(`expected Content-Type ${expected}, got ${type === undefined ? "none" : quote(name)}`);
}

function refuse(message: string): never {
  throw new A2AError("CONTENT_TYPE_NOT_SUPPORTED", message);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
