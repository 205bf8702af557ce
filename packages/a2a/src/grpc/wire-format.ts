import { isUtf8 } from "node:buffer";
import protobuf from "protobufjs/minimal.js";
import { A2AError } from "../protocol/internal.js";
import type { ErrorCode, JsonObject, JsonValue } from "../protocol/internal.js";
import { MessageWriter, prefixBytes } from "./message-writer.js";

/** A message in its JSON form, as it was read. Its values are not checked yet. */
export type Decoded = Record<string, unknown>;

/** One message of a protobuf package. */
export interface MessageType {
  readonly name: string;
  readonly encode: (message: JsonObject) => Buffer;
  /** The same, behind the prefix that it travels with. */
  readonly frame: (message: JsonObject) => Buffer;
  /**
   * Throws `WireFormatError` and nothing else. The elements of a message are its nested messages, the items of its lists
   * and the entries of its maps: a message of two bytes each would take fifty times its size in memory. There may be any
   * number of them when `maxElements` is absent.
   */
  readonly decode: (bytes: Uint8Array, maxElements?: number) => Decoded;
}

export interface MethodType {
  readonly request: MessageType;
  readonly response: MessageType;
  /** Whether the answer is a stream. */
  readonly isStreaming: boolean;
  readonly isRequestStreaming?: boolean;
  /** The tag of the tenant in a request. */
  readonly tenantTag?: number;
}

export interface ServiceType {
  /** With its package: `lf.a2a.v1.A2AService`. */
  readonly name: string;
  readonly methods: Readonly<Record<string, MethodType>>;
}

/** Thrown for bytes that are not a message of the expected type. */
export class WireFormatError extends Error {}

/** Deeper than any limit allows, and shallow enough for the stack. */
const maxDepth = 200;

/** Reads a message, and stops where it has too many elements or is nested too deeply. */
export class Reader extends protobuf.BufferReader {
  readonly #maxElements: number;
  #elements = 0;
  #depth = 0;

  constructor(bytes: Uint8Array, maxElements: number) {
    super(
      Buffer.isBuffer(bytes)
        ? bytes
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    );
    this.#maxElements = maxElements;
  }

  /** Counts an element before it is read. */
  element(): this {
    this.#elements += 1;
    if (this.#elements > this.#maxElements) {
      throw new WireFormatError(
        `it has more than ${this.#maxElements} parts, list items, map entries and other elements`,
      );
    }
    return this;
  }

  /** Reads something nested. */
  nested<T>(read: (reader: this, end: number) => T, end: number): T {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new WireFormatError("a value is nested too deeply");
    const value = read(this, end);
    this.#depth -= 1;
    return value;
  }
}

/** Messages are data, and no code runs while one is written: one writer is enough. */
const writer = new MessageWriter();

/** A message type, from the two generated halves. */
export function messageType(
  name: string,
  encode: (message: JsonObject, writer: MessageWriter) => void,
  decode: (reader: Reader, end: number) => unknown,
): MessageType {
  const frame = (message: JsonObject): Buffer => {
    writer.begin();
    encode(message, writer);
    return writer.finish();
  };
  return {
    name,
    encode: (message) => frame(message).subarray(prefixBytes),
    frame,
    decode: (bytes, maxElements = Infinity) => {
      const reader = new Reader(bytes, maxElements);
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

/** The JSON form of a message. Throws an error of the given code for bytes that are not such a message. */
export function decodeMessage(
  type: MessageType,
  bytes: Uint8Array,
  { code, maxElements }: { readonly code: ErrorCode; readonly maxElements?: number },
): Decoded {
  try {
    return type.decode(bytes, maxElements);
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    throw new A2AError(code, error.message, { cause: error });
  }
}

export function readMessage<T>(
  reader: Reader,
  end: number,
  decode: (reader: Reader, end: number) => T,
): T {
  const stop = lengthOf(reader, end);
  const message = reader.element().nested(decode, stop);
  if (reader.pos !== stop) throw new WireFormatError("a field ends beyond its message");
  return message;
}

/** Where the message ends whose length comes next. */
export function lengthOf(reader: Reader, end: number): number {
  const length = reader.uint32();
  const stop = reader.pos + length;
  if (stop > end) throw new WireFormatError("a message ends beyond the one it is in");
  return stop;
}

/** Reads one entry of a map. A missing key or value is empty. */
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

/** Sets a member of any name, even `__proto__`, which the codec refuses later. */
export function setMember(object: Decoded, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
}

const replacement = "\uFFFD";

/** Reads a string. Throws for bytes that are not UTF-8, which protobufjs would replace. */
export function readString(reader: Reader): string {
  const start = reader.pos;
  const text = reader.string();
  if (text.includes(replacement)) {
    reader.pos = start;
    if (!isUtf8(reader.bytes())) throw new WireFormatError("a string is not UTF-8");
  }
  return text;
}

/** A string of a message of which only the beginning is there; `undefined` if it is not in it. */
export function peekString(beginning: Uint8Array, tag: number): string | undefined {
  const reader = new Reader(beginning, Infinity);
  try {
    while (reader.pos < beginning.length) {
      const found = reader.uint32();
      if (found === tag) {
        const start = reader.pos;
        // Throws if the end is missing, where `readString` would give what there is.
        lengthOf(reader, beginning.length);
        reader.pos = start;
        return readString(reader);
      }
      reader.skipType(found & 7);
    }
  } catch {
    // What is missing is in the rest, or the message is none; whoever reads all of it finds out.
  }
  return undefined;
}

/** Reads bytes as base64. */
export function readBytes(reader: Reader): string {
  const bytes = reader.bytes();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

export function bytesOf(base64: JsonValue): Uint8Array {
  return Buffer.from(base64 as string, "base64");
}

/** The name of an enum's number; the number itself if it has none, which the codec refuses later. */
export function enumName(names: readonly string[], number: number): string | number {
  return names[number] ?? number;
}

export function enumNumber(numbers: Readonly<Record<string, number>>, name: JsonValue): number {
  return typeof name === "number" ? name : (numbers[name as string] ?? 0);
}

/** Removes the earlier members of a `oneof`: the last one counts. */
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
 * Skips an unknown field. Throws for a known number with the wrong wire type: the sender means another message,
 * and reading half of it would be worse than an error.
 */
export function skipField(reader: Reader, tag: number, knownNumbers: number): void {
  const number = tag >>> 3;
  if (number === 0) throw new WireFormatError("a field has the number 0");
  if (number < 31 && (knownNumbers & (1 << number)) !== 0) {
    throw new WireFormatError(`field ${number} has the wire type ${tag & 7}`);
  }
  reader.skipType(tag & 7);
}
