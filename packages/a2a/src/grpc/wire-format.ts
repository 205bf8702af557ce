import { isUtf8 } from "node:buffer";
import protobuf from "protobufjs/minimal.js";
import type { Reader, Writer } from "protobufjs/minimal.js";
import type { JsonObject, JsonValue } from "../protocol/internal.js";

/** A message as it was read, in its JSON form. Not checked beyond what its bytes say. */
export type Decoded = Record<string, unknown>;

/** One message of a protobuf package. */
export interface MessageType {
  readonly name: string;
  readonly encode: (message: JsonObject) => Buffer;
  /** Throws `WireFormatError` and nothing else. */
  readonly decode: (bytes: Uint8Array) => Decoded;
}

export interface MethodType {
  readonly request: MessageType;
  readonly response: MessageType;
  /** Answers with a stream. */
  readonly isStreaming: boolean;
  readonly isRequestStreaming?: boolean;
}

export interface ServiceType {
  /** With its package: `lf.a2a.v1.A2AService`. */
  readonly name: string;
  readonly methods: Readonly<Record<string, MethodType>>;
}

/** Bytes that are no message of the type they were read as. */
export class WireFormatError extends Error {}

/** Puts the two halves of a generated message together. */
export function messageType(
  name: string,
  encode: (message: JsonObject, writer: Writer) => void,
  decode: (reader: Reader, end: number) => unknown,
): MessageType {
  return {
    name,
    encode: (message) => {
      const writer = protobuf.Writer.create();
      encode(message, writer);
      return writer.finish() as Buffer;
    },
    decode: (bytes) => {
      const reader = protobuf.Reader.create(bytes);
      try {
        const message = decode(reader, bytes.length) as Decoded;
        if (reader.pos !== bytes.length)
          throw new WireFormatError("a field ends beyond its message");
        return message;
      } catch (error) {
        const problem = error instanceof WireFormatError ? error.message : "it ends too early";
        throw new WireFormatError(`expected a ${name}: ${problem}`, { cause: error });
      }
    },
  };
}

export function readMessage<T>(
  reader: Reader,
  end: number,
  decode: (reader: Reader, end: number) => T,
): T {
  const length = reader.uint32();
  const stop = reader.pos + length;
  if (stop > end) throw new WireFormatError("a message ends beyond the one it is in");
  const message = decode(reader, stop);
  if (reader.pos !== stop) throw new WireFormatError("a field ends beyond its message");
  return message;
}

/** One entry of a map. Either half may be missing, and is then empty. */
export function readEntry(
  reader: Reader,
  end: number,
  into: Decoded,
  readValue: (reader: Reader, end: number) => unknown,
): void {
  let key = "";
  let value: unknown;
  readMessage(reader, end, (inner, stop) => {
    while (inner.pos < stop) {
      const tag = inner.uint32();
      if (tag === 10) key = readString(inner);
      else if (tag === 18) value = readValue(inner, stop);
      else skipField(inner, tag, 0b110);
    }
  });
  setMember(into, key, value === undefined ? (readValue === readString ? "" : {}) : value);
}

/** Sets a member of any name, `__proto__` too: it is the reader's business to refuse it. */
export function setMember(object: Decoded, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
}

const replacement = "\uFFFD";

/** A string; bytes that are not UTF-8 are refused rather than replaced. */
export function readString(reader: Reader): string {
  const start = reader.pos;
  const text = reader.string();
  if (text.includes(replacement)) {
    reader.pos = start;
    if (!isUtf8(reader.bytes())) throw new WireFormatError("a string is not UTF-8");
  }
  return text;
}

/** Bytes, as base64. */
export function readBytes(reader: Reader): string {
  const bytes = reader.bytes();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

export function bytesOf(base64: JsonValue): Uint8Array {
  return Buffer.from(base64 as string, "base64");
}

/** The name of an enum's number; the number itself where it has none, for the reader to refuse. */
export function enumName(names: readonly string[], number: number): string | number {
  return names[number] ?? number;
}

export function enumNumber(numbers: Readonly<Record<string, number>>, name: JsonValue): number {
  return typeof name === "number" ? name : (numbers[name as string] ?? 0);
}

/** Members of a `oneof` that came before the one that counts, which is the last. */
export function forget(message: Decoded, names: readonly string[]): void {
  for (const name of names) if (name in message) delete message[name];
}

const nothing: readonly never[] = [];

export function items(value: JsonValue | undefined): readonly JsonValue[] {
  return (value as readonly JsonValue[] | null | undefined) ?? nothing;
}

export function entries(value: JsonValue | undefined): readonly [string, JsonValue][] {
  return value === undefined || value === null ? nothing : Object.entries(value as JsonObject);
}

/**
 * Skips a field that is unknown. One whose number is known came with the wrong wire type: the caller
 * means another message, and hears of it rather than being understood in part.
 */
export function skipField(reader: Reader, tag: number, knownNumbers: number): void {
  const number = tag >>> 3;
  if (number === 0) throw new WireFormatError("a field has the number 0");
  if (number < 31 && (knownNumbers & (1 << number)) !== 0) {
    throw new WireFormatError(`field ${number} has the wire type ${tag & 7}`);
  }
  reader.skipType(tag & 7);
}
