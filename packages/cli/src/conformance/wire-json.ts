import type { Exchange } from "../probe/tap.js";

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

/** An object in text; an empty one where the text has none. */
export function parseObject(text: string): Json {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

/** An object without one of its members. */
export function without(json: Json, name: string): Json {
  return Object.fromEntries(Object.entries(json).filter(([one]) => one !== name));
}

/** The JSON of an answer; `undefined` if it has none. */
export function jsonOf(exchange: Exchange | undefined): unknown {
  try {
    return JSON.parse(exchange?.text() ?? "");
  } catch {
    return undefined;
  }
}

/** The error object of an answer over JSON-RPC or REST. */
export function errorOf(exchange: Exchange | undefined): Json | undefined {
  const { error } = asObject(jsonOf(exchange));
  return error === undefined ? undefined : asObject(error);
}

/** The payload of an answer, without the envelope of JSON-RPC. */
export function payloadOf(exchange: Exchange | undefined): Json {
  const json = asObject(jsonOf(exchange));
  return "jsonrpc" in json ? asObject(json["result"]) : json;
}

/** The frames of an event stream, each as its JSON. */
export function framesOf(exchange: Exchange | undefined): readonly Json[] {
  const frames = (exchange?.text() ?? "").split(/\r?\n\r?\n/);
  return frames.flatMap((frame) => {
    const data = frame
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []));
    if (data.length === 0) return [];
    try {
      return [asObject(JSON.parse(data.join("\n")))];
    } catch {
      return [{}];
    }
  });
}

/** The events of a stream as they are on the wire, without the envelope of JSON-RPC. */
export function eventsOf(exchange: Exchange | undefined): readonly Json[] {
  return framesOf(exchange).map((frame) =>
    "jsonrpc" in frame ? asObject(frame["result"]) : frame,
  );
}
