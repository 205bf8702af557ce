// Written by `npm run generate` from google/rpc/status.proto, google/rpc/error_details.proto. Do not edit.

import type { JsonObject } from "../../protocol/internal.js";
import type { MessageWriter } from "../message-writer.js";
import { entries, items, messageType, readEntry, readMessage, readString, skipField } from "../wire-format.js";
import { decodeAny, encodeAny, decodeDuration, encodeDuration } from "../protobuf-types.js";
import type { Decoded, MessageType, Reader } from "../wire-format.js";

function encodeStatus(m: JsonObject, w: MessageWriter): void {
  const theCode = m["code"];
  if (theCode) w.uint32(8).int32(theCode as number);
  const theMessage = m["message"];
  if (theMessage) w.uint32(18).string(theMessage as string);
  for (const value of items(m["details"])) { encodeAny(value as JsonObject, w.uint32(26).fork()), w.ldelim(); }
}

function decodeStatus(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 8: m["code"] = r.int32(); if (m["code"] === 0) delete m["code"]; break;
      case 18: m["message"] = readString(r); break;
      case 26: ((m["details"] ??= []) as unknown[]).push(readMessage(r, end, decodeAny)); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeErrorInfo(m: JsonObject, w: MessageWriter): void {
  const theReason = m["reason"];
  if (theReason) w.uint32(10).string(theReason as string);
  const theDomain = m["domain"];
  if (theDomain) w.uint32(18).string(theDomain as string);
  for (const [key, value] of entries(m["metadata"])) {
    w.uint32(26).fork().uint32(10).string(key);
    w.uint32(18).string(value as string);
    w.ldelim();
  }
}

function decodeErrorInfo(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["reason"] = readString(r); break;
      case 18: m["domain"] = readString(r); break;
      case 26: readEntry(r, end, (m["metadata"] ??= {}) as Decoded, readString); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeBadRequest(m: JsonObject, w: MessageWriter): void {
  for (const value of items(m["fieldViolations"])) { encodeBadRequestFieldViolation(value as JsonObject, w.uint32(10).fork()), w.ldelim(); }
}

function decodeBadRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: ((m["fieldViolations"] ??= []) as unknown[]).push(readMessage(r, end, decodeBadRequestFieldViolation)); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

function encodeBadRequestFieldViolation(m: JsonObject, w: MessageWriter): void {
  const theField = m["field"];
  if (theField) w.uint32(10).string(theField as string);
  const theDescription = m["description"];
  if (theDescription) w.uint32(18).string(theDescription as string);
}

function decodeBadRequestFieldViolation(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["field"] = readString(r); break;
      case 18: m["description"] = readString(r); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

function encodeRetryInfo(m: JsonObject, w: MessageWriter): void {
  const theRetryDelay = m["retryDelay"];
  if (theRetryDelay !== undefined && theRetryDelay !== null) { encodeDuration(theRetryDelay as JsonObject, w.uint32(10).fork()), w.ldelim(); }
}

function decodeRetryInfo(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["retryDelay"] = readMessage(r, end, decodeDuration); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

export const StatusMessage: MessageType = messageType("google.rpc.Status", encodeStatus, decodeStatus);
export const ErrorInfoMessage: MessageType = messageType("google.rpc.ErrorInfo", encodeErrorInfo, decodeErrorInfo);
export const BadRequestMessage: MessageType = messageType("google.rpc.BadRequest", encodeBadRequest, decodeBadRequest);
export const RetryInfoMessage: MessageType = messageType("google.rpc.RetryInfo", encodeRetryInfo, decodeRetryInfo);
