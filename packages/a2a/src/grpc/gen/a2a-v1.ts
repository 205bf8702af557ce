// Written by `npm run generate` from a2a/v1/a2a.proto. Do not edit.

import type { JsonObject } from "../../protocol/internal.js";
import type { MessageWriter } from "../message-writer.js";
import { bytesOf, entries, enumName, enumNumber, forget, items, messageType, readBytes, readEntry, readMessage, readString, skipField } from "../wire-format.js";
import { decodeEmpty, encodeEmpty, decodeStruct, encodeStruct, decodeTimestamp, encodeTimestamp } from "../protobuf-types.js";
import type { Decoded, MessageType, Reader, ServiceType } from "../wire-format.js";

const TaskState: Readonly<Record<string, number>> = {
  TASK_STATE_UNSPECIFIED: 0,
  TASK_STATE_SUBMITTED: 1,
  TASK_STATE_WORKING: 2,
  TASK_STATE_COMPLETED: 3,
  TASK_STATE_FAILED: 4,
  TASK_STATE_CANCELLED: 5,
  TASK_STATE_INPUT_REQUIRED: 6,
  TASK_STATE_REJECTED: 7,
  TASK_STATE_AUTH_REQUIRED: 8,
};
const TaskStateNames: readonly string[] = ["TASK_STATE_UNSPECIFIED","TASK_STATE_SUBMITTED","TASK_STATE_WORKING","TASK_STATE_COMPLETED","TASK_STATE_FAILED","TASK_STATE_CANCELLED","TASK_STATE_INPUT_REQUIRED","TASK_STATE_REJECTED","TASK_STATE_AUTH_REQUIRED"];

const Role: Readonly<Record<string, number>> = {
  ROLE_UNSPECIFIED: 0,
  ROLE_USER: 1,
  ROLE_AGENT: 2,
};
const RoleNames: readonly string[] = ["ROLE_UNSPECIFIED","ROLE_USER","ROLE_AGENT"];

function encodeSendMessageConfiguration(m: JsonObject, w: MessageWriter): void {
  for (const value of items(m["acceptedOutputModes"])) w.uint32(10).string(value as string);
  const thePushNotification = m["pushNotification"];
  if (thePushNotification !== undefined && thePushNotification !== null) { encodePushNotificationConfig(thePushNotification as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theHistoryLength = m["historyLength"];
  if (theHistoryLength) w.uint32(24).int32(theHistoryLength as number);
  const theBlocking = m["blocking"];
  if (theBlocking) w.uint32(32).bool(theBlocking as boolean);
}

function decodeSendMessageConfiguration(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: r.element(); ((m["acceptedOutputModes"] ??= []) as unknown[]).push(readString(r)); break;
      case 18: m["pushNotification"] = readMessage(r, end, decodePushNotificationConfig); break;
      case 24: m["historyLength"] = r.int32(); if (m["historyLength"] === 0) delete m["historyLength"]; break;
      case 32: m["blocking"] = r.bool(); break;
      default: skipField(r, tag, 30);
    }
  }
  return m;
}

function encodeTask(m: JsonObject, w: MessageWriter): void {
  const theId = m["id"];
  if (theId) w.uint32(10).string(theId as string);
  const theContextId = m["contextId"];
  if (theContextId) w.uint32(18).string(theContextId as string);
  const theStatus = m["status"];
  if (theStatus !== undefined && theStatus !== null) { encodeTaskStatus(theStatus as JsonObject, w.uint32(26).fork()), w.ldelim(); }
  for (const value of items(m["artifacts"])) { encodeArtifact(value as JsonObject, w.uint32(34).fork()), w.ldelim(); }
  for (const value of items(m["history"])) { encodeMessage(value as JsonObject, w.uint32(42).fork()), w.ldelim(); }
  const theMetadata = m["metadata"];
  if (theMetadata !== undefined && theMetadata !== null) { encodeStruct(theMetadata as JsonObject, w.uint32(50).fork()), w.ldelim(); }
}

function decodeTask(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["id"] = readString(r); break;
      case 18: m["contextId"] = readString(r); break;
      case 26: m["status"] = readMessage(r, end, decodeTaskStatus); break;
      case 34: ((m["artifacts"] ??= []) as unknown[]).push(readMessage(r, end, decodeArtifact)); break;
      case 42: ((m["history"] ??= []) as unknown[]).push(readMessage(r, end, decodeMessage)); break;
      case 50: m["metadata"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 126);
    }
  }
  return m;
}

function encodeTaskStatus(m: JsonObject, w: MessageWriter): void {
  const theState = m["state"];
  if (theState) w.uint32(8).int32(enumNumber(TaskState, theState));
  const theUpdate = m["message"];
  if (theUpdate !== undefined && theUpdate !== null) { encodeMessage(theUpdate as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theTimestamp = m["timestamp"];
  if (theTimestamp !== undefined && theTimestamp !== null) { encodeTimestamp(theTimestamp as JsonObject, w.uint32(26).fork()), w.ldelim(); }
}

function decodeTaskStatus(r: Reader, end: number): Decoded {
  const m: Decoded = {"state": TaskStateNames[0]};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 8: m["state"] = enumName(TaskStateNames, r.int32()); break;
      case 18: m["message"] = readMessage(r, end, decodeMessage); break;
      case 26: m["timestamp"] = readMessage(r, end, decodeTimestamp); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

const PartPartNames = ["text","file","data"];
function encodePart(m: JsonObject, w: MessageWriter): void {
  const theText = m["text"];
  if (theText !== undefined && theText !== null) w.uint32(10).string(theText as string);
  const theFile = m["file"];
  if (theFile !== undefined && theFile !== null) { encodeFilePart(theFile as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theData = m["data"];
  if (theData !== undefined && theData !== null) { encodeDataPart(theData as JsonObject, w.uint32(26).fork()), w.ldelim(); }
  const theMetadata = m["metadata"];
  if (theMetadata !== undefined && theMetadata !== null) { encodeStruct(theMetadata as JsonObject, w.uint32(34).fork()), w.ldelim(); }
}

function decodePart(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: forget(m, PartPartNames); m["text"] = readString(r); break;
      case 18: forget(m, PartPartNames); m["file"] = readMessage(r, end, decodeFilePart); break;
      case 26: forget(m, PartPartNames); m["data"] = readMessage(r, end, decodeDataPart); break;
      case 34: m["metadata"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 30);
    }
  }
  return m;
}

const FilePartFileNames = ["fileWithUri","fileWithBytes"];
function encodeFilePart(m: JsonObject, w: MessageWriter): void {
  const theFileWithUri = m["fileWithUri"];
  if (theFileWithUri !== undefined && theFileWithUri !== null) w.uint32(10).string(theFileWithUri as string);
  const theFileWithBytes = m["fileWithBytes"];
  if (theFileWithBytes !== undefined && theFileWithBytes !== null) w.uint32(18).bytes(bytesOf(theFileWithBytes));
  const theMimeType = m["mimeType"];
  if (theMimeType) w.uint32(26).string(theMimeType as string);
  const theName = m["name"];
  if (theName) w.uint32(34).string(theName as string);
}

function decodeFilePart(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: forget(m, FilePartFileNames); m["fileWithUri"] = readString(r); break;
      case 18: forget(m, FilePartFileNames); m["fileWithBytes"] = readBytes(r); break;
      case 26: m["mimeType"] = readString(r); break;
      case 34: m["name"] = readString(r); break;
      default: skipField(r, tag, 30);
    }
  }
  return m;
}

function encodeDataPart(m: JsonObject, w: MessageWriter): void {
  const theData = m["data"];
  if (theData !== undefined && theData !== null) { encodeStruct(theData as JsonObject, w.uint32(10).fork()), w.ldelim(); }
}

function decodeDataPart(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["data"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

function encodeMessage(m: JsonObject, w: MessageWriter): void {
  const theMessageId = m["messageId"];
  if (theMessageId) w.uint32(10).string(theMessageId as string);
  const theContextId = m["contextId"];
  if (theContextId) w.uint32(18).string(theContextId as string);
  const theTaskId = m["taskId"];
  if (theTaskId) w.uint32(26).string(theTaskId as string);
  const theRole = m["role"];
  if (theRole) w.uint32(32).int32(enumNumber(Role, theRole));
  for (const value of items(m["content"])) { encodePart(value as JsonObject, w.uint32(42).fork()), w.ldelim(); }
  const theMetadata = m["metadata"];
  if (theMetadata !== undefined && theMetadata !== null) { encodeStruct(theMetadata as JsonObject, w.uint32(50).fork()), w.ldelim(); }
  for (const value of items(m["extensions"])) w.uint32(58).string(value as string);
}

function decodeMessage(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["messageId"] = readString(r); break;
      case 18: m["contextId"] = readString(r); break;
      case 26: m["taskId"] = readString(r); break;
      case 32: m["role"] = enumName(RoleNames, r.int32()); if (m["role"] === RoleNames[0]) delete m["role"]; break;
      case 42: ((m["content"] ??= []) as unknown[]).push(readMessage(r, end, decodePart)); break;
      case 50: m["metadata"] = readMessage(r, end, decodeStruct); break;
      case 58: r.element(); ((m["extensions"] ??= []) as unknown[]).push(readString(r)); break;
      default: skipField(r, tag, 254);
    }
  }
  return m;
}

function encodeArtifact(m: JsonObject, w: MessageWriter): void {
  const theArtifactId = m["artifactId"];
  if (theArtifactId) w.uint32(10).string(theArtifactId as string);
  const theName = m["name"];
  if (theName) w.uint32(26).string(theName as string);
  const theDescription = m["description"];
  if (theDescription) w.uint32(34).string(theDescription as string);
  for (const value of items(m["parts"])) { encodePart(value as JsonObject, w.uint32(42).fork()), w.ldelim(); }
  const theMetadata = m["metadata"];
  if (theMetadata !== undefined && theMetadata !== null) { encodeStruct(theMetadata as JsonObject, w.uint32(50).fork()), w.ldelim(); }
  for (const value of items(m["extensions"])) w.uint32(58).string(value as string);
}

function decodeArtifact(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["artifactId"] = readString(r); break;
      case 26: m["name"] = readString(r); break;
      case 34: m["description"] = readString(r); break;
      case 42: ((m["parts"] ??= []) as unknown[]).push(readMessage(r, end, decodePart)); break;
      case 50: m["metadata"] = readMessage(r, end, decodeStruct); break;
      case 58: r.element(); ((m["extensions"] ??= []) as unknown[]).push(readString(r)); break;
      default: skipField(r, tag, 250);
    }
  }
  return m;
}

function encodeTaskStatusUpdateEvent(m: JsonObject, w: MessageWriter): void {
  const theTaskId = m["taskId"];
  if (theTaskId) w.uint32(10).string(theTaskId as string);
  const theContextId = m["contextId"];
  if (theContextId) w.uint32(18).string(theContextId as string);
  const theStatus = m["status"];
  if (theStatus !== undefined && theStatus !== null) { encodeTaskStatus(theStatus as JsonObject, w.uint32(26).fork()), w.ldelim(); }
  const theFinal = m["final"];
  if (theFinal) w.uint32(32).bool(theFinal as boolean);
  const theMetadata = m["metadata"];
  if (theMetadata !== undefined && theMetadata !== null) { encodeStruct(theMetadata as JsonObject, w.uint32(42).fork()), w.ldelim(); }
}

function decodeTaskStatusUpdateEvent(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["taskId"] = readString(r); break;
      case 18: m["contextId"] = readString(r); break;
      case 26: m["status"] = readMessage(r, end, decodeTaskStatus); break;
      case 32: m["final"] = r.bool(); break;
      case 42: m["metadata"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 62);
    }
  }
  return m;
}

function encodeTaskArtifactUpdateEvent(m: JsonObject, w: MessageWriter): void {
  const theTaskId = m["taskId"];
  if (theTaskId) w.uint32(10).string(theTaskId as string);
  const theContextId = m["contextId"];
  if (theContextId) w.uint32(18).string(theContextId as string);
  const theArtifact = m["artifact"];
  if (theArtifact !== undefined && theArtifact !== null) { encodeArtifact(theArtifact as JsonObject, w.uint32(26).fork()), w.ldelim(); }
  const theAppend = m["append"];
  if (theAppend) w.uint32(32).bool(theAppend as boolean);
  const theLastChunk = m["lastChunk"];
  if (theLastChunk) w.uint32(40).bool(theLastChunk as boolean);
  const theMetadata = m["metadata"];
  if (theMetadata !== undefined && theMetadata !== null) { encodeStruct(theMetadata as JsonObject, w.uint32(50).fork()), w.ldelim(); }
}

function decodeTaskArtifactUpdateEvent(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["taskId"] = readString(r); break;
      case 18: m["contextId"] = readString(r); break;
      case 26: m["artifact"] = readMessage(r, end, decodeArtifact); break;
      case 32: m["append"] = r.bool(); break;
      case 40: m["lastChunk"] = r.bool(); break;
      case 50: m["metadata"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 126);
    }
  }
  return m;
}

function encodePushNotificationConfig(m: JsonObject, w: MessageWriter): void {
  const theId = m["id"];
  if (theId) w.uint32(10).string(theId as string);
  const theUrl = m["url"];
  if (theUrl) w.uint32(18).string(theUrl as string);
  const theToken = m["token"];
  if (theToken) w.uint32(26).string(theToken as string);
  const theAuthentication = m["authentication"];
  if (theAuthentication !== undefined && theAuthentication !== null) { encodeAuthenticationInfo(theAuthentication as JsonObject, w.uint32(34).fork()), w.ldelim(); }
}

function decodePushNotificationConfig(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["id"] = readString(r); break;
      case 18: m["url"] = readString(r); break;
      case 26: m["token"] = readString(r); break;
      case 34: m["authentication"] = readMessage(r, end, decodeAuthenticationInfo); break;
      default: skipField(r, tag, 30);
    }
  }
  return m;
}

function encodeAuthenticationInfo(m: JsonObject, w: MessageWriter): void {
  for (const value of items(m["schemes"])) w.uint32(10).string(value as string);
  const theCredentials = m["credentials"];
  if (theCredentials) w.uint32(18).string(theCredentials as string);
}

function decodeAuthenticationInfo(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: r.element(); ((m["schemes"] ??= []) as unknown[]).push(readString(r)); break;
      case 18: m["credentials"] = readString(r); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

function encodeAgentInterface(m: JsonObject, w: MessageWriter): void {
  const theUrl = m["url"];
  if (theUrl) w.uint32(10).string(theUrl as string);
  const theTransport = m["transport"];
  if (theTransport) w.uint32(18).string(theTransport as string);
}

function decodeAgentInterface(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["url"] = readString(r); break;
      case 18: m["transport"] = readString(r); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

function encodeAgentCard(m: JsonObject, w: MessageWriter): void {
  const theName = m["name"];
  if (theName) w.uint32(10).string(theName as string);
  const theDescription = m["description"];
  if (theDescription) w.uint32(18).string(theDescription as string);
  const theUrl = m["url"];
  if (theUrl) w.uint32(26).string(theUrl as string);
  const theProvider = m["provider"];
  if (theProvider !== undefined && theProvider !== null) { encodeAgentProvider(theProvider as JsonObject, w.uint32(34).fork()), w.ldelim(); }
  const theVersion = m["version"];
  if (theVersion) w.uint32(42).string(theVersion as string);
  const theDocumentationUrl = m["documentationUrl"];
  if (theDocumentationUrl) w.uint32(50).string(theDocumentationUrl as string);
  const theCapabilities = m["capabilities"];
  if (theCapabilities !== undefined && theCapabilities !== null) { encodeAgentCapabilities(theCapabilities as JsonObject, w.uint32(58).fork()), w.ldelim(); }
  for (const [key, value] of entries(m["securitySchemes"])) {
    w.uint32(66).fork().uint32(10).string(key);
    encodeSecurityScheme(value as JsonObject, w.uint32(18).fork()), w.ldelim();
    w.ldelim();
  }
  for (const value of items(m["security"])) { encodeSecurity(value as JsonObject, w.uint32(74).fork()), w.ldelim(); }
  for (const value of items(m["defaultInputModes"])) w.uint32(82).string(value as string);
  for (const value of items(m["defaultOutputModes"])) w.uint32(90).string(value as string);
  for (const value of items(m["skills"])) { encodeAgentSkill(value as JsonObject, w.uint32(98).fork()), w.ldelim(); }
  const theSupportsAuthenticatedExtendedCard = m["supportsAuthenticatedExtendedCard"];
  if (theSupportsAuthenticatedExtendedCard) w.uint32(104).bool(theSupportsAuthenticatedExtendedCard as boolean);
  const thePreferredTransport = m["preferredTransport"];
  if (thePreferredTransport) w.uint32(114).string(thePreferredTransport as string);
  for (const value of items(m["additionalInterfaces"])) { encodeAgentInterface(value as JsonObject, w.uint32(122).fork()), w.ldelim(); }
  const theProtocolVersion = m["protocolVersion"];
  if (theProtocolVersion) w.uint32(130).string(theProtocolVersion as string);
  for (const value of items(m["signatures"])) { encodeAgentCardSignature(value as JsonObject, w.uint32(138).fork()), w.ldelim(); }
  const theIconUrl = m["iconUrl"];
  if (theIconUrl !== undefined && theIconUrl !== null) w.uint32(146).string(theIconUrl as string);
}

function decodeAgentCard(r: Reader, end: number): Decoded {
  const m: Decoded = {"defaultInputModes": [], "defaultOutputModes": [], "skills": []};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["name"] = readString(r); break;
      case 18: m["description"] = readString(r); break;
      case 26: m["url"] = readString(r); break;
      case 34: m["provider"] = readMessage(r, end, decodeAgentProvider); break;
      case 42: m["version"] = readString(r); break;
      case 50: m["documentationUrl"] = readString(r); break;
      case 58: m["capabilities"] = readMessage(r, end, decodeAgentCapabilities); break;
      case 66: readEntry(r, end, (m["securitySchemes"] ??= {}) as Decoded, (r, end) => readMessage(r, end, decodeSecurityScheme)); break;
      case 74: ((m["security"] ??= []) as unknown[]).push(readMessage(r, end, decodeSecurity)); break;
      case 82: r.element(); ((m["defaultInputModes"] ??= []) as unknown[]).push(readString(r)); break;
      case 90: r.element(); ((m["defaultOutputModes"] ??= []) as unknown[]).push(readString(r)); break;
      case 98: ((m["skills"] ??= []) as unknown[]).push(readMessage(r, end, decodeAgentSkill)); break;
      case 104: m["supportsAuthenticatedExtendedCard"] = r.bool(); break;
      case 114: m["preferredTransport"] = readString(r); break;
      case 122: ((m["additionalInterfaces"] ??= []) as unknown[]).push(readMessage(r, end, decodeAgentInterface)); break;
      case 130: m["protocolVersion"] = readString(r); break;
      case 138: ((m["signatures"] ??= []) as unknown[]).push(readMessage(r, end, decodeAgentCardSignature)); break;
      case 146: m["iconUrl"] = readString(r); break;
      default: skipField(r, tag, 524286);
    }
  }
  return m;
}

function encodeAgentProvider(m: JsonObject, w: MessageWriter): void {
  const theUrl = m["url"];
  if (theUrl) w.uint32(10).string(theUrl as string);
  const theOrganization = m["organization"];
  if (theOrganization) w.uint32(18).string(theOrganization as string);
}

function decodeAgentProvider(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["url"] = readString(r); break;
      case 18: m["organization"] = readString(r); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

function encodeAgentCapabilities(m: JsonObject, w: MessageWriter): void {
  const theStreaming = m["streaming"];
  if (theStreaming) w.uint32(8).bool(theStreaming as boolean);
  const thePushNotifications = m["pushNotifications"];
  if (thePushNotifications) w.uint32(16).bool(thePushNotifications as boolean);
  for (const value of items(m["extensions"])) { encodeAgentExtension(value as JsonObject, w.uint32(26).fork()), w.ldelim(); }
}

function decodeAgentCapabilities(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 8: m["streaming"] = r.bool(); break;
      case 16: m["pushNotifications"] = r.bool(); break;
      case 26: ((m["extensions"] ??= []) as unknown[]).push(readMessage(r, end, decodeAgentExtension)); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeAgentExtension(m: JsonObject, w: MessageWriter): void {
  const theUri = m["uri"];
  if (theUri) w.uint32(10).string(theUri as string);
  const theDescription = m["description"];
  if (theDescription) w.uint32(18).string(theDescription as string);
  const theRequired = m["required"];
  if (theRequired) w.uint32(24).bool(theRequired as boolean);
  const theParams = m["params"];
  if (theParams !== undefined && theParams !== null) { encodeStruct(theParams as JsonObject, w.uint32(34).fork()), w.ldelim(); }
}

function decodeAgentExtension(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["uri"] = readString(r); break;
      case 18: m["description"] = readString(r); break;
      case 24: m["required"] = r.bool(); break;
      case 34: m["params"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 30);
    }
  }
  return m;
}

function encodeAgentSkill(m: JsonObject, w: MessageWriter): void {
  const theId = m["id"];
  if (theId) w.uint32(10).string(theId as string);
  const theName = m["name"];
  if (theName) w.uint32(18).string(theName as string);
  const theDescription = m["description"];
  if (theDescription) w.uint32(26).string(theDescription as string);
  for (const value of items(m["tags"])) w.uint32(34).string(value as string);
  for (const value of items(m["examples"])) w.uint32(42).string(value as string);
  for (const value of items(m["inputModes"])) w.uint32(50).string(value as string);
  for (const value of items(m["outputModes"])) w.uint32(58).string(value as string);
  for (const value of items(m["security"])) { encodeSecurity(value as JsonObject, w.uint32(66).fork()), w.ldelim(); }
}

function decodeAgentSkill(r: Reader, end: number): Decoded {
  const m: Decoded = {"tags": []};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["id"] = readString(r); break;
      case 18: m["name"] = readString(r); break;
      case 26: m["description"] = readString(r); break;
      case 34: r.element(); ((m["tags"] ??= []) as unknown[]).push(readString(r)); break;
      case 42: r.element(); ((m["examples"] ??= []) as unknown[]).push(readString(r)); break;
      case 50: r.element(); ((m["inputModes"] ??= []) as unknown[]).push(readString(r)); break;
      case 58: r.element(); ((m["outputModes"] ??= []) as unknown[]).push(readString(r)); break;
      case 66: ((m["security"] ??= []) as unknown[]).push(readMessage(r, end, decodeSecurity)); break;
      default: skipField(r, tag, 510);
    }
  }
  return m;
}

function encodeAgentCardSignature(m: JsonObject, w: MessageWriter): void {
  const theProtected = m["protected"];
  if (theProtected) w.uint32(10).string(theProtected as string);
  const theSignature = m["signature"];
  if (theSignature) w.uint32(18).string(theSignature as string);
  const theHeader = m["header"];
  if (theHeader !== undefined && theHeader !== null) { encodeStruct(theHeader as JsonObject, w.uint32(26).fork()), w.ldelim(); }
}

function decodeAgentCardSignature(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["protected"] = readString(r); break;
      case 18: m["signature"] = readString(r); break;
      case 26: m["header"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeTaskPushNotificationConfig(m: JsonObject, w: MessageWriter): void {
  const theName = m["name"];
  if (theName) w.uint32(10).string(theName as string);
  const thePushNotificationConfig = m["pushNotificationConfig"];
  if (thePushNotificationConfig !== undefined && thePushNotificationConfig !== null) { encodePushNotificationConfig(thePushNotificationConfig as JsonObject, w.uint32(18).fork()), w.ldelim(); }
}

function decodeTaskPushNotificationConfig(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["name"] = readString(r); break;
      case 18: m["pushNotificationConfig"] = readMessage(r, end, decodePushNotificationConfig); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

function encodeStringList(m: JsonObject, w: MessageWriter): void {
  for (const value of items(m["list"])) w.uint32(10).string(value as string);
}

function decodeStringList(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: r.element(); ((m["list"] ??= []) as unknown[]).push(readString(r)); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

function encodeSecurity(m: JsonObject, w: MessageWriter): void {
  for (const [key, value] of entries(m["schemes"])) {
    w.uint32(10).fork().uint32(10).string(key);
    encodeStringList(value as JsonObject, w.uint32(18).fork()), w.ldelim();
    w.ldelim();
  }
}

function decodeSecurity(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: readEntry(r, end, (m["schemes"] ??= {}) as Decoded, (r, end) => readMessage(r, end, decodeStringList)); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

const SecuritySchemeSchemeNames = ["apiKeySecurityScheme","httpAuthSecurityScheme","oauth2SecurityScheme","openIdConnectSecurityScheme","mtlsSecurityScheme"];
function encodeSecurityScheme(m: JsonObject, w: MessageWriter): void {
  const theApiKeySecurityScheme = m["apiKeySecurityScheme"];
  if (theApiKeySecurityScheme !== undefined && theApiKeySecurityScheme !== null) { encodeAPIKeySecurityScheme(theApiKeySecurityScheme as JsonObject, w.uint32(10).fork()), w.ldelim(); }
  const theHttpAuthSecurityScheme = m["httpAuthSecurityScheme"];
  if (theHttpAuthSecurityScheme !== undefined && theHttpAuthSecurityScheme !== null) { encodeHTTPAuthSecurityScheme(theHttpAuthSecurityScheme as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theOauth2SecurityScheme = m["oauth2SecurityScheme"];
  if (theOauth2SecurityScheme !== undefined && theOauth2SecurityScheme !== null) { encodeOAuth2SecurityScheme(theOauth2SecurityScheme as JsonObject, w.uint32(26).fork()), w.ldelim(); }
  const theOpenIdConnectSecurityScheme = m["openIdConnectSecurityScheme"];
  if (theOpenIdConnectSecurityScheme !== undefined && theOpenIdConnectSecurityScheme !== null) { encodeOpenIdConnectSecurityScheme(theOpenIdConnectSecurityScheme as JsonObject, w.uint32(34).fork()), w.ldelim(); }
  const theMtlsSecurityScheme = m["mtlsSecurityScheme"];
  if (theMtlsSecurityScheme !== undefined && theMtlsSecurityScheme !== null) { encodeMutualTlsSecurityScheme(theMtlsSecurityScheme as JsonObject, w.uint32(42).fork()), w.ldelim(); }
}

function decodeSecurityScheme(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: forget(m, SecuritySchemeSchemeNames); m["apiKeySecurityScheme"] = readMessage(r, end, decodeAPIKeySecurityScheme); break;
      case 18: forget(m, SecuritySchemeSchemeNames); m["httpAuthSecurityScheme"] = readMessage(r, end, decodeHTTPAuthSecurityScheme); break;
      case 26: forget(m, SecuritySchemeSchemeNames); m["oauth2SecurityScheme"] = readMessage(r, end, decodeOAuth2SecurityScheme); break;
      case 34: forget(m, SecuritySchemeSchemeNames); m["openIdConnectSecurityScheme"] = readMessage(r, end, decodeOpenIdConnectSecurityScheme); break;
      case 42: forget(m, SecuritySchemeSchemeNames); m["mtlsSecurityScheme"] = readMessage(r, end, decodeMutualTlsSecurityScheme); break;
      default: skipField(r, tag, 62);
    }
  }
  return m;
}

function encodeAPIKeySecurityScheme(m: JsonObject, w: MessageWriter): void {
  const theDescription = m["description"];
  if (theDescription) w.uint32(10).string(theDescription as string);
  const theLocation = m["location"];
  if (theLocation) w.uint32(18).string(theLocation as string);
  const theName = m["name"];
  if (theName) w.uint32(26).string(theName as string);
}

function decodeAPIKeySecurityScheme(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["description"] = readString(r); break;
      case 18: m["location"] = readString(r); break;
      case 26: m["name"] = readString(r); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeHTTPAuthSecurityScheme(m: JsonObject, w: MessageWriter): void {
  const theDescription = m["description"];
  if (theDescription) w.uint32(10).string(theDescription as string);
  const theScheme = m["scheme"];
  if (theScheme) w.uint32(18).string(theScheme as string);
  const theBearerFormat = m["bearerFormat"];
  if (theBearerFormat) w.uint32(26).string(theBearerFormat as string);
}

function decodeHTTPAuthSecurityScheme(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["description"] = readString(r); break;
      case 18: m["scheme"] = readString(r); break;
      case 26: m["bearerFormat"] = readString(r); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeOAuth2SecurityScheme(m: JsonObject, w: MessageWriter): void {
  const theDescription = m["description"];
  if (theDescription) w.uint32(10).string(theDescription as string);
  const theFlows = m["flows"];
  if (theFlows !== undefined && theFlows !== null) { encodeOAuthFlows(theFlows as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theOauth2MetadataUrl = m["oauth2MetadataUrl"];
  if (theOauth2MetadataUrl) w.uint32(26).string(theOauth2MetadataUrl as string);
}

function decodeOAuth2SecurityScheme(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["description"] = readString(r); break;
      case 18: m["flows"] = readMessage(r, end, decodeOAuthFlows); break;
      case 26: m["oauth2MetadataUrl"] = readString(r); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeOpenIdConnectSecurityScheme(m: JsonObject, w: MessageWriter): void {
  const theDescription = m["description"];
  if (theDescription) w.uint32(10).string(theDescription as string);
  const theOpenIdConnectUrl = m["openIdConnectUrl"];
  if (theOpenIdConnectUrl) w.uint32(18).string(theOpenIdConnectUrl as string);
}

function decodeOpenIdConnectSecurityScheme(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["description"] = readString(r); break;
      case 18: m["openIdConnectUrl"] = readString(r); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

function encodeMutualTlsSecurityScheme(m: JsonObject, w: MessageWriter): void {
  const theDescription = m["description"];
  if (theDescription) w.uint32(10).string(theDescription as string);
}

function decodeMutualTlsSecurityScheme(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["description"] = readString(r); break;
      default: skipField(r, tag, 2);
    }
  }
  return m;
}

const OAuthFlowsFlowNames = ["authorizationCode","clientCredentials","implicit","password"];
function encodeOAuthFlows(m: JsonObject, w: MessageWriter): void {
  const theAuthorizationCode = m["authorizationCode"];
  if (theAuthorizationCode !== undefined && theAuthorizationCode !== null) { encodeAuthorizationCodeOAuthFlow(theAuthorizationCode as JsonObject, w.uint32(10).fork()), w.ldelim(); }
  const theClientCredentials = m["clientCredentials"];
  if (theClientCredentials !== undefined && theClientCredentials !== null) { encodeClientCredentialsOAuthFlow(theClientCredentials as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theImplicit = m["implicit"];
  if (theImplicit !== undefined && theImplicit !== null) { encodeImplicitOAuthFlow(theImplicit as JsonObject, w.uint32(26).fork()), w.ldelim(); }
  const thePassword = m["password"];
  if (thePassword !== undefined && thePassword !== null) { encodePasswordOAuthFlow(thePassword as JsonObject, w.uint32(34).fork()), w.ldelim(); }
}

function decodeOAuthFlows(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: forget(m, OAuthFlowsFlowNames); m["authorizationCode"] = readMessage(r, end, decodeAuthorizationCodeOAuthFlow); break;
      case 18: forget(m, OAuthFlowsFlowNames); m["clientCredentials"] = readMessage(r, end, decodeClientCredentialsOAuthFlow); break;
      case 26: forget(m, OAuthFlowsFlowNames); m["implicit"] = readMessage(r, end, decodeImplicitOAuthFlow); break;
      case 34: forget(m, OAuthFlowsFlowNames); m["password"] = readMessage(r, end, decodePasswordOAuthFlow); break;
      default: skipField(r, tag, 30);
    }
  }
  return m;
}

function encodeAuthorizationCodeOAuthFlow(m: JsonObject, w: MessageWriter): void {
  const theAuthorizationUrl = m["authorizationUrl"];
  if (theAuthorizationUrl) w.uint32(10).string(theAuthorizationUrl as string);
  const theTokenUrl = m["tokenUrl"];
  if (theTokenUrl) w.uint32(18).string(theTokenUrl as string);
  const theRefreshUrl = m["refreshUrl"];
  if (theRefreshUrl) w.uint32(26).string(theRefreshUrl as string);
  for (const [key, value] of entries(m["scopes"])) {
    w.uint32(34).fork().uint32(10).string(key);
    w.uint32(18).string(value as string);
    w.ldelim();
  }
}

function decodeAuthorizationCodeOAuthFlow(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["authorizationUrl"] = readString(r); break;
      case 18: m["tokenUrl"] = readString(r); break;
      case 26: m["refreshUrl"] = readString(r); break;
      case 34: readEntry(r, end, (m["scopes"] ??= {}) as Decoded, readString); break;
      default: skipField(r, tag, 30);
    }
  }
  return m;
}

function encodeClientCredentialsOAuthFlow(m: JsonObject, w: MessageWriter): void {
  const theTokenUrl = m["tokenUrl"];
  if (theTokenUrl) w.uint32(10).string(theTokenUrl as string);
  const theRefreshUrl = m["refreshUrl"];
  if (theRefreshUrl) w.uint32(18).string(theRefreshUrl as string);
  for (const [key, value] of entries(m["scopes"])) {
    w.uint32(26).fork().uint32(10).string(key);
    w.uint32(18).string(value as string);
    w.ldelim();
  }
}

function decodeClientCredentialsOAuthFlow(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["tokenUrl"] = readString(r); break;
      case 18: m["refreshUrl"] = readString(r); break;
      case 26: readEntry(r, end, (m["scopes"] ??= {}) as Decoded, readString); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeImplicitOAuthFlow(m: JsonObject, w: MessageWriter): void {
  const theAuthorizationUrl = m["authorizationUrl"];
  if (theAuthorizationUrl) w.uint32(10).string(theAuthorizationUrl as string);
  const theRefreshUrl = m["refreshUrl"];
  if (theRefreshUrl) w.uint32(18).string(theRefreshUrl as string);
  for (const [key, value] of entries(m["scopes"])) {
    w.uint32(26).fork().uint32(10).string(key);
    w.uint32(18).string(value as string);
    w.ldelim();
  }
}

function decodeImplicitOAuthFlow(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["authorizationUrl"] = readString(r); break;
      case 18: m["refreshUrl"] = readString(r); break;
      case 26: readEntry(r, end, (m["scopes"] ??= {}) as Decoded, readString); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodePasswordOAuthFlow(m: JsonObject, w: MessageWriter): void {
  const theTokenUrl = m["tokenUrl"];
  if (theTokenUrl) w.uint32(10).string(theTokenUrl as string);
  const theRefreshUrl = m["refreshUrl"];
  if (theRefreshUrl) w.uint32(18).string(theRefreshUrl as string);
  for (const [key, value] of entries(m["scopes"])) {
    w.uint32(26).fork().uint32(10).string(key);
    w.uint32(18).string(value as string);
    w.ldelim();
  }
}

function decodePasswordOAuthFlow(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["tokenUrl"] = readString(r); break;
      case 18: m["refreshUrl"] = readString(r); break;
      case 26: readEntry(r, end, (m["scopes"] ??= {}) as Decoded, readString); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeSendMessageRequest(m: JsonObject, w: MessageWriter): void {
  const theRequest = m["message"];
  if (theRequest !== undefined && theRequest !== null) { encodeMessage(theRequest as JsonObject, w.uint32(10).fork()), w.ldelim(); }
  const theConfiguration = m["configuration"];
  if (theConfiguration !== undefined && theConfiguration !== null) { encodeSendMessageConfiguration(theConfiguration as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theMetadata = m["metadata"];
  if (theMetadata !== undefined && theMetadata !== null) { encodeStruct(theMetadata as JsonObject, w.uint32(26).fork()), w.ldelim(); }
}

function decodeSendMessageRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["message"] = readMessage(r, end, decodeMessage); break;
      case 18: m["configuration"] = readMessage(r, end, decodeSendMessageConfiguration); break;
      case 26: m["metadata"] = readMessage(r, end, decodeStruct); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeGetTaskRequest(m: JsonObject, w: MessageWriter): void {
  const theName = m["name"];
  if (theName) w.uint32(10).string(theName as string);
  const theHistoryLength = m["historyLength"];
  if (theHistoryLength) w.uint32(16).int32(theHistoryLength as number);
}

function decodeGetTaskRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["name"] = readString(r); break;
      case 16: m["historyLength"] = r.int32(); if (m["historyLength"] === 0) delete m["historyLength"]; break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

function encodeCancelTaskRequest(m: JsonObject, w: MessageWriter): void {
  const theName = m["name"];
  if (theName) w.uint32(10).string(theName as string);
}

function decodeCancelTaskRequest(r: Reader, end: number): Decoded {
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

function encodeGetTaskPushNotificationConfigRequest(m: JsonObject, w: MessageWriter): void {
  const theName = m["name"];
  if (theName) w.uint32(10).string(theName as string);
}

function decodeGetTaskPushNotificationConfigRequest(r: Reader, end: number): Decoded {
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

function encodeDeleteTaskPushNotificationConfigRequest(m: JsonObject, w: MessageWriter): void {
  const theName = m["name"];
  if (theName) w.uint32(10).string(theName as string);
}

function decodeDeleteTaskPushNotificationConfigRequest(r: Reader, end: number): Decoded {
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

function encodeCreateTaskPushNotificationConfigRequest(m: JsonObject, w: MessageWriter): void {
  const theParent = m["parent"];
  if (theParent) w.uint32(10).string(theParent as string);
  const theConfigId = m["configId"];
  if (theConfigId) w.uint32(18).string(theConfigId as string);
  const theConfig = m["config"];
  if (theConfig !== undefined && theConfig !== null) { encodeTaskPushNotificationConfig(theConfig as JsonObject, w.uint32(26).fork()), w.ldelim(); }
}

function decodeCreateTaskPushNotificationConfigRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["parent"] = readString(r); break;
      case 18: m["configId"] = readString(r); break;
      case 26: m["config"] = readMessage(r, end, decodeTaskPushNotificationConfig); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeTaskSubscriptionRequest(m: JsonObject, w: MessageWriter): void {
  const theName = m["name"];
  if (theName) w.uint32(10).string(theName as string);
}

function decodeTaskSubscriptionRequest(r: Reader, end: number): Decoded {
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

function encodeListTaskPushNotificationConfigRequest(m: JsonObject, w: MessageWriter): void {
  const theParent = m["parent"];
  if (theParent) w.uint32(10).string(theParent as string);
  const thePageSize = m["pageSize"];
  if (thePageSize) w.uint32(16).int32(thePageSize as number);
  const thePageToken = m["pageToken"];
  if (thePageToken) w.uint32(26).string(thePageToken as string);
}

function decodeListTaskPushNotificationConfigRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: m["parent"] = readString(r); break;
      case 16: m["pageSize"] = r.int32(); if (m["pageSize"] === 0) delete m["pageSize"]; break;
      case 26: m["pageToken"] = readString(r); break;
      default: skipField(r, tag, 14);
    }
  }
  return m;
}

function encodeGetAgentCardRequest(_m: JsonObject, _w: MessageWriter): void {
}

function decodeGetAgentCardRequest(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      default: skipField(r, tag, 0);
    }
  }
  return m;
}

const SendMessageResponsePayloadNames = ["task","message"];
function encodeSendMessageResponse(m: JsonObject, w: MessageWriter): void {
  const theTask = m["task"];
  if (theTask !== undefined && theTask !== null) { encodeTask(theTask as JsonObject, w.uint32(10).fork()), w.ldelim(); }
  const theMsg = m["message"];
  if (theMsg !== undefined && theMsg !== null) { encodeMessage(theMsg as JsonObject, w.uint32(18).fork()), w.ldelim(); }
}

function decodeSendMessageResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: forget(m, SendMessageResponsePayloadNames); m["task"] = readMessage(r, end, decodeTask); break;
      case 18: forget(m, SendMessageResponsePayloadNames); m["message"] = readMessage(r, end, decodeMessage); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

const StreamResponsePayloadNames = ["task","message","statusUpdate","artifactUpdate"];
function encodeStreamResponse(m: JsonObject, w: MessageWriter): void {
  const theTask = m["task"];
  if (theTask !== undefined && theTask !== null) { encodeTask(theTask as JsonObject, w.uint32(10).fork()), w.ldelim(); }
  const theMsg = m["message"];
  if (theMsg !== undefined && theMsg !== null) { encodeMessage(theMsg as JsonObject, w.uint32(18).fork()), w.ldelim(); }
  const theStatusUpdate = m["statusUpdate"];
  if (theStatusUpdate !== undefined && theStatusUpdate !== null) { encodeTaskStatusUpdateEvent(theStatusUpdate as JsonObject, w.uint32(26).fork()), w.ldelim(); }
  const theArtifactUpdate = m["artifactUpdate"];
  if (theArtifactUpdate !== undefined && theArtifactUpdate !== null) { encodeTaskArtifactUpdateEvent(theArtifactUpdate as JsonObject, w.uint32(34).fork()), w.ldelim(); }
}

function decodeStreamResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: forget(m, StreamResponsePayloadNames); m["task"] = readMessage(r, end, decodeTask); break;
      case 18: forget(m, StreamResponsePayloadNames); m["message"] = readMessage(r, end, decodeMessage); break;
      case 26: forget(m, StreamResponsePayloadNames); m["statusUpdate"] = readMessage(r, end, decodeTaskStatusUpdateEvent); break;
      case 34: forget(m, StreamResponsePayloadNames); m["artifactUpdate"] = readMessage(r, end, decodeTaskArtifactUpdateEvent); break;
      default: skipField(r, tag, 30);
    }
  }
  return m;
}

function encodeListTaskPushNotificationConfigResponse(m: JsonObject, w: MessageWriter): void {
  for (const value of items(m["configs"])) { encodeTaskPushNotificationConfig(value as JsonObject, w.uint32(10).fork()), w.ldelim(); }
  const theNextPageToken = m["nextPageToken"];
  if (theNextPageToken) w.uint32(18).string(theNextPageToken as string);
}

function decodeListTaskPushNotificationConfigResponse(r: Reader, end: number): Decoded {
  const m: Decoded = {};
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag) {
      case 10: ((m["configs"] ??= []) as unknown[]).push(readMessage(r, end, decodeTaskPushNotificationConfig)); break;
      case 18: m["nextPageToken"] = readString(r); break;
      default: skipField(r, tag, 6);
    }
  }
  return m;
}

const SendMessageRequestMessage: MessageType = messageType("a2a.v1.SendMessageRequest", encodeSendMessageRequest, decodeSendMessageRequest);
const SendMessageResponseMessage: MessageType = messageType("a2a.v1.SendMessageResponse", encodeSendMessageResponse, decodeSendMessageResponse);
const StreamResponseMessage: MessageType = messageType("a2a.v1.StreamResponse", encodeStreamResponse, decodeStreamResponse);
const GetTaskRequestMessage: MessageType = messageType("a2a.v1.GetTaskRequest", encodeGetTaskRequest, decodeGetTaskRequest);
const TaskMessage: MessageType = messageType("a2a.v1.Task", encodeTask, decodeTask);
const CancelTaskRequestMessage: MessageType = messageType("a2a.v1.CancelTaskRequest", encodeCancelTaskRequest, decodeCancelTaskRequest);
const TaskSubscriptionRequestMessage: MessageType = messageType("a2a.v1.TaskSubscriptionRequest", encodeTaskSubscriptionRequest, decodeTaskSubscriptionRequest);
const CreateTaskPushNotificationConfigRequestMessage: MessageType = messageType("a2a.v1.CreateTaskPushNotificationConfigRequest", encodeCreateTaskPushNotificationConfigRequest, decodeCreateTaskPushNotificationConfigRequest);
const TaskPushNotificationConfigMessage: MessageType = messageType("a2a.v1.TaskPushNotificationConfig", encodeTaskPushNotificationConfig, decodeTaskPushNotificationConfig);
const GetTaskPushNotificationConfigRequestMessage: MessageType = messageType("a2a.v1.GetTaskPushNotificationConfigRequest", encodeGetTaskPushNotificationConfigRequest, decodeGetTaskPushNotificationConfigRequest);
const ListTaskPushNotificationConfigRequestMessage: MessageType = messageType("a2a.v1.ListTaskPushNotificationConfigRequest", encodeListTaskPushNotificationConfigRequest, decodeListTaskPushNotificationConfigRequest);
const ListTaskPushNotificationConfigResponseMessage: MessageType = messageType("a2a.v1.ListTaskPushNotificationConfigResponse", encodeListTaskPushNotificationConfigResponse, decodeListTaskPushNotificationConfigResponse);
const GetAgentCardRequestMessage: MessageType = messageType("a2a.v1.GetAgentCardRequest", encodeGetAgentCardRequest, decodeGetAgentCardRequest);
const AgentCardMessage: MessageType = messageType("a2a.v1.AgentCard", encodeAgentCard, decodeAgentCard);
const DeleteTaskPushNotificationConfigRequestMessage: MessageType = messageType("a2a.v1.DeleteTaskPushNotificationConfigRequest", encodeDeleteTaskPushNotificationConfigRequest, decodeDeleteTaskPushNotificationConfigRequest);
const EmptyMessage: MessageType = messageType("google.protobuf.Empty", encodeEmpty, decodeEmpty);

export const service: ServiceType = {
  name: "a2a.v1.A2AService",
  methods: {
    SendMessage: { request: SendMessageRequestMessage, response: SendMessageResponseMessage, isStreaming: false },
    SendStreamingMessage: { request: SendMessageRequestMessage, response: StreamResponseMessage, isStreaming: true },
    GetTask: { request: GetTaskRequestMessage, response: TaskMessage, isStreaming: false },
    CancelTask: { request: CancelTaskRequestMessage, response: TaskMessage, isStreaming: false },
    TaskSubscription: { request: TaskSubscriptionRequestMessage, response: StreamResponseMessage, isStreaming: true },
    CreateTaskPushNotificationConfig: { request: CreateTaskPushNotificationConfigRequestMessage, response: TaskPushNotificationConfigMessage, isStreaming: false },
    GetTaskPushNotificationConfig: { request: GetTaskPushNotificationConfigRequestMessage, response: TaskPushNotificationConfigMessage, isStreaming: false },
    ListTaskPushNotificationConfig: { request: ListTaskPushNotificationConfigRequestMessage, response: ListTaskPushNotificationConfigResponseMessage, isStreaming: false },
    GetAgentCard: { request: GetAgentCardRequestMessage, response: AgentCardMessage, isStreaming: false },
    DeleteTaskPushNotificationConfig: { request: DeleteTaskPushNotificationConfigRequestMessage, response: EmptyMessage, isStreaming: false },
    CreateTaskPushNotification: { request: CreateTaskPushNotificationConfigRequestMessage, response: TaskPushNotificationConfigMessage, isStreaming: false },
    GetTaskPushNotification: { request: GetTaskPushNotificationConfigRequestMessage, response: TaskPushNotificationConfigMessage, isStreaming: false },
    ListTaskPushNotification: { request: ListTaskPushNotificationConfigRequestMessage, response: ListTaskPushNotificationConfigResponseMessage, isStreaming: false },
  },
};
