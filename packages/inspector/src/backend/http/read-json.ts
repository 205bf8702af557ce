import { badField, Refusal } from "./refusal.js";

/** A body of JSON, as an object whose members are yet to be looked at. */
export type JsonBody = Readonly<Record<string, unknown>>;

/** Reads a body, and no more of it than is allowed. */
async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = (): Refusal =>
    new Refusal(413, "REQUEST_TOO_LARGE", `the body has more than ${maxBytes} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > maxBytes) throw tooLarge();
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text + decoder.decode();
}

/** Reads a body as a JSON object; no body is an empty one. */
export async function readJson(request: Request, maxBytes: number): Promise<JsonBody> {
  const text = await readText(request, maxBytes);
  if (text === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, "PARSE_ERROR", "the body is not JSON");
  }
  if (!isObject(value)) throw new Refusal(400, "INVALID_REQUEST", "the body is not a JSON object");
  return value;
}

export function isObject(value: unknown): value is JsonBody {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that has to be a text. */
export function textOf(body: JsonBody, name: string, maxLength = 8192): string {
  const value = optionalText(body, name, maxLength);
  if (value === undefined) throw badField(name, "is missing");
  return value;
}

/** A member that is a text, if it is there. */
export function optionalText(body: JsonBody, name: string, maxLength = 8192): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw badField(name, "has to be a text");
  if (value.length > maxLength) throw badField(name, `is longer than ${maxLength} characters`);
  return value;
}

/** A member that is one of a few values, if it is there. */
export function optionalOneOf<const T extends string | number>(
  body: JsonBody,
  name: string,
  values: readonly T[],
): T | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (values.includes(value as T)) return value as T;
  throw badField(name, `has to be one of ${values.join(", ")}`);
}

/** A member that is a whole number within bounds, if it is there. */
export function optionalCount(
  body: JsonBody,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  throw badField(name, `has to be a whole number from ${min} to ${max}`);
}

/** A member that maps names to texts, if it is there. */
export function optionalTexts(
  body: JsonBody,
  name: string,
): Readonly<Record<string, string>> | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  const isTexts =
    isObject(value) &&
    Object.values(value).every((one) => typeof one === "string" && one.length <= 8192);
  if (!isTexts || Object.keys(value).length > 64) {
    throw badField(name, "has to be an object of at most 64 texts");
  }
  return value as Readonly<Record<string, string>>;
}

/** A parameter of a query that is a whole number, if it is there. */
export function queryCount(query: URLSearchParams, name: string, max: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= max) return value;
  throw badField(name, `has to be a whole number up to ${max}`);
}
