import type { RawRequest } from "../../contract/index.js";
import { optionalCount, optionalText, textOf } from "../http/read-json.js";
import type { JsonBody } from "../http/read-json.js";
import { badField } from "../http/refusal.js";

/** A request that a person has edited, and the hop that it was made of. */
export type ParsedRaw = RawRequest;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** Reads the body of `raw`. */
export function parseRaw(body: JsonBody): ParsedRaw {
  const method = textOf(body, "method").toUpperCase();
  if (!methods.includes(method)) throw badField("method", `has to be one of ${methods.join(", ")}`);
  const given = body["headers"] ?? [];
  const isPair = (one: unknown): one is readonly [string, string] =>
    Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === "string");
  if (!Array.isArray(given) || given.length > 100 || !given.every(isPair)) {
    throw badField("headers", "has to be a list of at most 100 pairs of name and value");
  }
  const text = optionalText(body, "body", 32 * 1024 * 1024);
  const resentFrom = optionalCount(body, "resentFrom", { min: 1, max: Number.MAX_SAFE_INTEGER });
  if (text !== undefined && (method === "GET" || method === "HEAD")) {
    throw badField("body", `cannot go with ${method}`);
  }
  return {
    method,
    url: textOf(body, "url"),
    headers: given,
    ...(text !== undefined && { body: text }),
    ...(resentFrom !== undefined && { resentFrom }),
  };
}
