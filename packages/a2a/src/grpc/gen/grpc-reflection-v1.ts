// Written by `npm run generate` from grpc/reflection/v1/reflection.proto. Do not edit.

import type { JsonObject } from "../../protocol/internal.js";
import type { MessageWriter } from "../message-writer.js";
import { bytesOf, forget, items, messageType, readBytes, readMessage, readString, skipField } from "../wire-format.js";
import type { Decoded, MessageType, Reader, ServiceType } from "../wire-format.js";

const ServerReflectionRequestMessageRequestNames = ["fileByFilename","fileContainingSymbol","fileContainingExtension","allExtensionNumbersOfType","listServices"];
function encodeServerReflectionRequest(m: JsonObject, w: MessageWriter): void {
  const theHost = m["host"];
  if (theHost) w.uint32(10).string(theHost as string);
  const theFileByFilename = m["fileByFilename"];
  if (theFileByFilename !== undefined && theFileByFilename !== null) w.uint32(26).string(theFileByFilename as string);
  const theFileContainingSymbol = m["fileContainingSymbol"];
  if (theFileContainingSymbol !== undefined && theFileContainingSymbol !== null) w.uint32(34).string(theFileContainingSymbol as string);
  const theFileContainingExtension = m["fileContainingExtension"];
  if (theFileContainingExtension !== undefined && theFileContainingExtension !== null) { encodeExtensionRequest(theFileContainingExtension as JsonObject, w.uint32(42).fork()), w.ldelim(); }
  const theAllExtensionNumbersOfType = m["allExtensionNumbersOfType"];
  if (theAllExtensionNumbersOfType !== undefined && theAllExtensionNumbersOfType !== null) w.uint32(50).string(theAllExtensionNumbersOfType as string);
  const theListServices = m["listServices"];
  if (theListServices !== undefined && theListServices !== null) w.uint32(58).string(theListServices as string);
}

function decodeServerReflectionRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["host"] = readString(r); break;
      case 26: forget(m, ServerReflectionRequestMessageRequestNames); m["fileByFilename"] = readString(r); break;
      case 34: forget(m, ServerReflectionRequestMessageRequestNames); m["fileContainingSymbol"] = readString(r); break;
      case 42: forget(m, ServerReflectionRequestMessageRequestNames); m["fileContainingExtension"] = readMessage(r, end, decodeExtensionRequest); break;
      case 50: forget(m, ServerReflectionRequestMessageRequestNames); m["allExtensionNumbersOfType"] = readString(r); break;
      case 58: forget(m, ServerReflectionRequestMessageRequestNames); m["listServices"] = readString(r); break;
      default: skipField(r, tag, 250);
    }
  }
  return m;
}

function encodeExtensionRequest(m: JsonObject, w: MessageWriter): void {
  const theContainingType = m["containingType"];
  if (theContainingType) w.uint32(10).string(theContainingType as string);
  const theExtensionNumber = m["extensionNumber"];
  if (theExtensionNumber) w.uint32(16).int32(theExtensionNumber as number);
}

function decodeExtensionRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["containingType"] = readString(r); break;
      case 16: m["extensionNumber"] = r.int32(); if (m["extensionNumber"] === 0) delete m["extensionNumber"]; break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

const ServerReflectionResponseMessageResponseNames = ["fileDescriptorResponse","allExtensionNumbersResponse","listServicesResponse","errorResponse"];
function encodeServerReflectionResponse(m: JsonObject, w: MessageWriter): void {
  const theValidHost = m["validHost"];
  if (theValidHost) w.uint32(10).string(theValidHost as string);
  const theOriginalRequest = m["originalRequest"];
  if (theOriginalRequest !== undefined && theOriginalRequest !== null) { encodeServerReflectionRequest(theOriginalRequest as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theFileDescriptorResponse = m["fileDescriptorResponse"];
  if (theFileDescriptorResponse !== undefined && theFileDescriptorResponse !== null) { encodeFileDescriptorResponse(theFileDescriptorResponse as JsonObject, w.uint32(34).fork()), w.ldelim(); }
  const theAllExtensionNumbersResponse = m["allExtensionNumbersResponse"];
  if (theAllExtensionNumbersResponse !== undefined && theAllExtensionNumbersResponse !== null) { encodeExtensionNumberResponse(theAllExtensionNumbersResponse as JsonObject, w.uint32(42).fork()), w.ldelim(); }
  const theListServicesResponse = m["listServicesResponse"];
  if (theListServicesResponse !== undefined && theListServicesResponse !== null) { encodeListServiceResponse(theListServicesResponse as JsonObject, w.uint32(50).fork()), w.ldelim(); }
  const theErrorResponse = m["errorResponse"];
  if (theErrorResponse !== undefined && theErrorResponse !== null) { encodeErrorResponse(theErrorResponse as JsonObject, w.uint32(58).fork()), w.ldelim(); }
}

function decodeServerReflectionResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["validHost"] = readString(r); break;
      case 18: m["originalRequest"] = readMessage(r, end, decodeServerReflectionRequest); break;
      case 34: forget(m, ServerReflectionResponseMessageResponseNames); m["fileDescriptorResponse"] = readMessage(r, end, decodeFileDescriptorResponse); break;
      case 42: forget(m, ServerReflectionResponseMessageResponseNames); m["allExtensionNumbersResponse"] = readMessage(r, end, decodeExtensionNumberResponse); break;
      case 50: forget(m, ServerReflectionResponseMessageResponseNames); m["listServicesResponse"] = readMessage(r, end, decodeListServiceResponse); break;
      case 58: forget(m, ServerReflectionResponseMessageResponseNames); m["errorResponse"] = readMessage(r, end, decodeErrorResponse); break;
      default: skipField(r, tag, 246);
    }
  }
  return m;
}

function encodeFileDescriptorResponse(m: JsonObject, w: MessageWriter): void {
  for (const value of items(m["fileDescriptorProto"])) w.uint32(10).bytes(bytesOf(value));
}

function decodeFileDescriptorResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: r.element(); ((m["fileDescriptorProto"] ??= []) as unknown[]).push(readBytes(r)); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

function encodeExtensionNumberResponse(m: JsonObject, w: MessageWriter): void {
  const theBaseTypeName = m["baseTypeName"];
  if (theBaseTypeName) w.uint32(10).string(theBaseTypeName as string);
}

function decodeExtensionNumberResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["baseTypeName"] = readString(r); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

function encodeListServiceResponse(m: JsonObject, w: MessageWriter): void {
  for (const value of items(m["service"])) { encodeServiceResponse(value as JsonObject, w.uint32(10).fork()), w.ldelim(); }
}

function decodeListServiceResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: ((m["service"] ??= []) as unknown[]).push(readMessage(r, end, decodeServiceResponse)); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

function encodeServiceResponse(m: JsonObject, w: MessageWriter): void {
  const theName = m["name"];
  if (theName) w.uint32(10).string(theName as string);
}

function decodeServiceResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["name"] = readString(r); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

function encodeErrorResponse(m: JsonObject, w: MessageWriter): void {
  const theErrorCode = m["errorCode"];
  if (theErrorCode) w.uint32(8).int32(theErrorCode as number);
  const theErrorMessage = m["errorMessage"];
  if (theErrorMessage) w.uint32(18).string(theErrorMessage as string);
}

function decodeErrorResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 8: m["errorCode"] = r.int32(); if (m["errorCode"] === 0) delete m["errorCode"]; break;
      case 18: m["errorMessage"] = readString(r); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

const ServerReflectionRequestMessage: MessageType = messageType("grpc.reflection.v1.ServerReflectionRequest", encodeServerReflectionRequest, decodeServerReflectionRequest);
const ServerReflectionResponseMessage: MessageType = messageType("grpc.reflection.v1.ServerReflectionResponse", encodeServerReflectionResponse, decodeServerReflectionResponse);

export const service: ServiceType = {
  name: "grpc.reflection.v1.ServerReflection",
  methods: {
    ServerReflectionInfo: { request: ServerReflectionRequestMessage, response: ServerReflectionResponseMessage, isStreaming: true, isRequestStreaming: true },
  },
};
