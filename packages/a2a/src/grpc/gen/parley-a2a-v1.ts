// Written by `npm run generate` from parley/a2a/v1/extensions.proto. Do not edit.

import type { JsonObject } from "../../protocol/internal.js";
import type { MessageWriter } from "../message-writer.js";
import { messageType, readMessage, readString, skipField } from "../wire-format.js";
import { decodeStruct, encodeStruct, decodeValue, encodeValue } from "../protobuf-types.js";
import type { Decoded, MessageType, Reader, ServiceType } from "../wire-format.js";

function encodeCallMethodRequest(m: JsonObject, w: MessageWriter): void {
  const theTenant = m["tenant"];
  if (theTenant) w.uint32(10).string(theTenant as string);
  const theMethod = m["method"];
  if (theMethod) w.uint32(18).string(theMethod as string);
  const theParams = m["params"];
  if (theParams !== undefined && theParams !== null) { encodeStruct(theParams as JsonObject, w.uint32(26).fork()), w.ldelim(); }
}

function decodeCallMethodRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["tenant"] = readString(r); break;
      case 18: m["method"] = readString(r); break;
      case 26: m["params"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeCallMethodResponse(m: JsonObject, w: MessageWriter): void {
  const theResult = m["result"];
  if (theResult !== undefined) { encodeValue(theResult as JsonObject, w.uint32(10).fork()), w.ldelim(); }
}

function decodeCallMethodResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["result"] = readMessage(r, end, decodeValue); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

const CallMethodRequestMessage: MessageType = messageType("parley.a2a.v1.CallMethodRequest", encodeCallMethodRequest, decodeCallMethodRequest);
const CallMethodResponseMessage: MessageType = messageType("parley.a2a.v1.CallMethodResponse", encodeCallMethodResponse, decodeCallMethodResponse);

export const service: ServiceType = {
  name: "parley.a2a.v1.ExtensionService",
  methods: {
    CallMethod: { request: CallMethodRequestMessage, response: CallMethodResponseMessage, isStreaming: false, tenantTag: 10 },
  },
};
