// Written by `npm run generate` from grpc/health/v1/health.proto. Do not edit.

import type { JsonObject } from "../../protocol/internal.js";
import type { MessageWriter } from "../message-writer.js";
import { enumName, enumNumber, messageType, readString, skipField } from "../wire-format.js";
import type { Decoded, MessageType, Reader, ServiceType } from "../wire-format.js";

const HealthCheckResponseServingStatus: Readonly<Record<string, number>> = {
  UNKNOWN: 0,
  SERVING: 1,
  NOT_SERVING: 2,
  SERVICE_UNKNOWN: 3,
};
const HealthCheckResponseServingStatusNames: readonly string[] = ["UNKNOWN","SERVING","NOT_SERVING","SERVICE_UNKNOWN"];

function encodeHealthCheckRequest(m: JsonObject, w: MessageWriter): void {
  const theService = m["service"];
  if (theService) w.uint32(10).string(theService as string);
}

function decodeHealthCheckRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["service"] = readString(r); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

function encodeHealthCheckResponse(m: JsonObject, w: MessageWriter): void {
  const theStatus = m["status"];
  if (theStatus) w.uint32(8).int32(enumNumber(HealthCheckResponseServingStatus, theStatus));
}

function decodeHealthCheckResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 8: m["status"] = enumName(HealthCheckResponseServingStatusNames, r.int32()); if (m["status"] === HealthCheckResponseServingStatusNames[0]) delete m["status"]; break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

const HealthCheckRequestMessage: MessageType = messageType("grpc.health.v1.HealthCheckRequest", encodeHealthCheckRequest, decodeHealthCheckRequest);
const HealthCheckResponseMessage: MessageType = messageType("grpc.health.v1.HealthCheckResponse", encodeHealthCheckResponse, decodeHealthCheckResponse);

export const service: ServiceType = {
  name: "grpc.health.v1.Health",
  methods: {
    Check: { request: HealthCheckRequestMessage, response: HealthCheckResponseMessage, isStreaming: false },
    Watch: { request: HealthCheckRequestMessage, response: HealthCheckResponseMessage, isStreaming: true },
  },
};
