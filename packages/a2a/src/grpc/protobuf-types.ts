import type { JsonObject, JsonValue } from "../protocol/internal.js";
import type { MessageWriter } from "./message-writer.js";
import {
  bytesOf,
  lengthOf,
  readBytes,
  readString,
  setMember,
  skipField,
  WireFormatError,
} from "./wire-format.js";
import type { Decoded, Reader } from "./wire-format.js";

// The protobuf types whose JSON form is not an object of their fields.

export function encodeStruct(value: JsonObject, writer: MessageWriter): void {
  for (const name of Object.keys(value)) {
    writer.uint32(10).fork().uint32(10).string(name);
    encodeValue(value[name] as JsonValue, writer.uint32(18).fork());
    writer.ldelim().ldelim();
  }
}

export function decodeStruct(reader: Reader, end: number): Decoded {
  const object: Decoded = {};
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag !== 10) skipField(reader, tag, 0b10);
    else readMember(reader.element(), lengthOf(reader, end), object);
  }
  return object;
}

function readMember(reader: Reader, end: number, object: Decoded): void {
  let name = "";
  let value: unknown = null;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) name = readString(reader);
    else if (tag === 18) value = reader.nested(decodeValue, lengthOf(reader, end));
    else skipField(reader, tag, 0b110);
  }
  setMember(object, name, value);
}

export function encodeValue(value: JsonValue, writer: MessageWriter): void {
  if (typeof value === "string") writer.uint32(26).string(value);
  else if (typeof value === "number") writer.uint32(17).double(value);
  else if (typeof value === "boolean") writer.uint32(32).bool(value);
  else if (value === null) writer.uint32(8).int32(0);
  else if (isList(value)) {
    writer.uint32(50).fork();
    for (const item of value) {
      encodeValue(item, writer.uint32(10).fork());
      writer.ldelim();
    }
    writer.ldelim();
  } else {
    encodeStruct(value, writer.uint32(42).fork());
    writer.ldelim();
  }
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A value without a kind is `null`. */
export function decodeValue(reader: Reader, end: number): unknown {
  let value: unknown = null;
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 8:
        reader.int32();
        value = null;
        break;
      case 17:
        value = reader.double();
        break;
      case 26:
        value = readString(reader);
        break;
      case 32:
        value = reader.bool();
        break;
      case 42:
        value = decodeStruct(reader.element(), lengthOf(reader, end));
        break;
      case 50:
        value = readList(reader.element(), lengthOf(reader, end));
        break;
      default:
        skipField(reader, tag, 0b1111110);
    }
  }
  return value;
}

function readList(reader: Reader, end: number): unknown[] {
  const list: unknown[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag !== 10) skipField(reader, tag, 0b10);
    else list.push(reader.element().nested(decodeValue, lengthOf(reader, end)));
  }
  return list;
}

const fraction = /\.(\d+)/;

/** Writes a time such as `2026-01-02T03:04:05.678Z`. */
export function encodeTimestamp(value: JsonValue, writer: MessageWriter): void {
  const written = value as string;
  const digits = fraction.exec(written)?.[1] ?? "";
  const milliseconds = Date.parse(digits.length > 3 ? written.replace(fraction, "") : written);
  writeSeconds(writer, Math.floor(milliseconds / 1000), Number(digits.slice(0, 9).padEnd(9, "0")));
}

/** Reads a time, with milliseconds, and with more digits only if it has more. */
export function decodeTimestamp(reader: Reader, end: number): string {
  const { seconds, nanos } = readSeconds(reader, end);
  const moment = new Date(seconds * 1000 + Math.floor(nanos / 1_000_000));
  const year = moment.getUTCFullYear();
  if (!(year >= 1 && year <= 9999) || nanos < 0 || nanos > 999_999_999) {
    throw new WireFormatError("a timestamp is out of range");
  }
  const written = moment.toISOString();
  const rest = nanos % 1_000_000;
  if (rest === 0) return written;
  const digits = String(rest).padStart(6, "0");
  return `${written.slice(0, -1)}${digits.endsWith("000") ? digits.slice(0, 3) : digits}Z`;
}

/** Writes a duration such as `1.5s`. */
export function encodeDuration(value: JsonValue, writer: MessageWriter): void {
  const [seconds = "0", digits = ""] = (value as string).replace("s", "").split(".");
  writeSeconds(writer, Number(seconds), Number(digits.slice(0, 9).padEnd(9, "0")));
}

export function decodeDuration(reader: Reader, end: number): string {
  const { seconds, nanos } = readSeconds(reader, end);
  const digits = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${seconds}${digits}s`;
}

function writeSeconds(writer: MessageWriter, seconds: number, nanos: number): void {
  if (seconds !== 0) writer.uint32(8).int64(seconds);
  if (nanos !== 0) writer.uint32(16).int32(nanos);
}

function readSeconds(reader: Reader, end: number): { seconds: number; nanos: number } {
  let seconds = 0;
  let nanos = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 8) seconds = toNumber(reader.int64());
    else if (tag === 16) nanos = reader.int32();
    else skipField(reader, tag, 0b110);
  }
  return { seconds, nanos };
}

/** protobufjs reads plain numbers where the package `long` is not installed. */
function toNumber(value: number | { readonly high: number; readonly low: number }): number {
  return typeof value === "number" ? value : value.high * 2 ** 32 + (value.low >>> 0);
}

/** The message in an `Any` stays encoded: only code that knows its type can read it. */
export function encodeAny(value: JsonObject, writer: MessageWriter): void {
  writer.uint32(10).string(value["typeUrl"] as string);
  writer.uint32(18).bytes(bytesOf(value["value"] as string));
}

export function decodeAny(reader: Reader, end: number): Decoded {
  const any: Decoded = {};
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) any["typeUrl"] = readString(reader);
    else if (tag === 18) any["value"] = readBytes(reader);
    else skipField(reader, tag, 0b110);
  }
  return any;
}

export function encodeEmpty(_value: JsonObject, _writer: MessageWriter): void {}

export function decodeEmpty(reader: Reader, end: number): Decoded {
  while (reader.pos < end) skipField(reader, reader.uint32(), 0);
  return {};
}
