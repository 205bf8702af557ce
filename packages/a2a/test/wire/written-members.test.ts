import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/protocol/internal.js";
import type { JsonObject, JsonValue, Operation, TaskState } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import { streamResponse, task } from "../support/arbitraries/model.js";
import { dialects, eventContext, hasOperation, plainOperations } from "./exchange.js";
import { requests, results } from "../support/arbitraries/operations.js";
import type { PlainOperation } from "../support/arbitraries/operations.js";

const words = (text: string): string[] => text.trim().split(/\s+/);

const schemaMembers = words(`
  kind messageId role parts contextId taskId referenceTaskIds extensions metadata
  text file bytes uri mimeType name data
  configuration acceptedOutputModes blocking historyLength pushNotificationConfig
  id url token authentication schemes credentials headers pushNotificationConfigId success
  message status state timestamp artifacts history artifactId description
  artifact append lastChunk final
  tasks pageSize pageToken nextPageToken totalSize statusTimestampAfter includeArtifacts`);

/** Every member that a dialect knows, apart from what is inside metadata, data and headers. */
const members: Readonly<Record<Dialect, readonly string[]>> = {
  "0.1": words(`
    id sessionId message role parts metadata type text file bytes uri mimeType name data
    pushNotification pushNotificationConfig url token authentication schemes credentials
    historyLength status state timestamp artifacts history description index
    artifact append lastChunk final`),
  "0.1+0.3": [...schemaMembers, "type", "sessionId", "index"],
  "0.3": schemaMembers,
  "0.3+type": [...schemaMembers, "type"],
  "0.3-schema": [...schemaMembers, "task", "statusUpdate", "artifactUpdate"],
  "0.3-proto": words(`
    messageId role content contextId taskId extensions metadata
    text file fileWithBytes fileWithUri mimeType name data
    configuration acceptedOutputModes blocking historyLength pushNotification
    id url token authentication schemes credentials pushNotificationConfig pushNotificationConfigId
    message status state timestamp artifacts history artifactId description parts
    task statusUpdate artifactUpdate artifact append lastChunk final
    configs pageSize pageToken nextPageToken statusTimestampAfter includeArtifacts`),
  "1.0": words(`
    tenant messageId role parts contextId taskId referenceTaskIds extensions metadata
    text raw url data mediaType filename
    configuration acceptedOutputModes returnImmediately historyLength taskPushNotificationConfig
    id token authentication scheme credentials
    message status state timestamp artifacts history artifactId name description
    task statusUpdate artifactUpdate artifact append lastChunk
    configs tasks pageSize pageToken nextPageToken totalSize statusTimestampAfter includeArtifacts`),
};

const free: ReadonlySet<string> = new Set(["metadata", "data", "headers"]);

function memberNames(json: JsonValue): string[] {
  if (typeof json !== "object" || json === null) return [];
  if (Array.isArray(json)) return (json as readonly JsonValue[]).flatMap(memberNames);
  return Object.entries(json as JsonObject).flatMap(([name, value]) =>
    free.has(name) ? [name] : [name, ...memberNames(value)],
  );
}

describe.each(dialects)("dialect %s", (dialect) => {
  const { encodeRequest, encodeResult, encodeEvent, encodePushPayload } = codecs[dialect];
  const has = (operation: Operation): boolean => hasOperation(dialect, operation);
  const known: ReadonlySet<string> = new Set(members[dialect]);
  const unknown = (json: JsonValue): string[] =>
    memberNames(json).filter((name) => !known.has(name));

  const check = <T>(values: fc.Arbitrary<T>, encode: (value: T) => JsonValue): void => {
    fc.assert(
      fc.property(values, (value) => {
        expect(unknown(encode(value))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  };
  const checkRequest = <O extends Operation>(operation: O): void => {
    check(requests[operation], (request) => encodeRequest[operation](request));
  };
  const checkResult = <O extends PlainOperation>(operation: O): void => {
    check(fc.tuple(results[operation], requests[operation]), ([result, request]) =>
      encodeResult[operation](result, request),
    );
  };

  it.each(operations.filter(has))("writes a request for %s in its own words", (operation) => {
    verifies("json:camel-case", "json:no-kind", "client:current-names");
    checkRequest(operation);
  });

  it.each(plainOperations.filter(has))("writes a result of %s in its own words", (operation) => {
    verifies("json:camel-case", "json:no-kind", "binding:current-responses");
    checkResult(operation);
  });

  it("writes events in its own words", () => {
    check(streamResponse, (event) => encodeEvent(event, eventContext(true)));
  });

  it("writes push notifications in its own words", () => {
    const envelope = dialect === "0.1" ? ["eventType", "taskId"] : [];
    fc.assert(
      fc.property(streamResponse, task, (event, current) => {
        const names = unknown(encodePushPayload(event, current).body);
        expect(names).toEqual(envelope);
      }),
      { numRuns: 20 },
    );
  });
});

describe("the states of a task", () => {
  const schema = words(
    "unknown submitted working completed failed canceled input-required rejected auth-required",
  );
  const spellings: Readonly<Record<Dialect, readonly string[]>> = {
    "0.1": schema.with(7, "failed").with(8, "input-required"),
    "0.1+0.3": schema.with(7, "failed").with(8, "input-required"),
    "0.3": schema,
    "0.3+type": schema,
    "0.3-schema": schema,
    "0.3-proto": words(
      `TASK_STATE_UNSPECIFIED TASK_STATE_SUBMITTED TASK_STATE_WORKING TASK_STATE_COMPLETED
       TASK_STATE_FAILED TASK_STATE_CANCELLED TASK_STATE_INPUT_REQUIRED TASK_STATE_REJECTED
       TASK_STATE_AUTH_REQUIRED`,
    ),
    "1.0": words(
      `TASK_STATE_UNSPECIFIED TASK_STATE_SUBMITTED TASK_STATE_WORKING TASK_STATE_COMPLETED
       TASK_STATE_FAILED TASK_STATE_CANCELED TASK_STATE_INPUT_REQUIRED TASK_STATE_REJECTED
       TASK_STATE_AUTH_REQUIRED`,
    ),
  };

  it.each(dialects)("are spelled as dialect %s spells them", (dialect) => {
    verifies("json:enum-names");
    const written = (spellings["1.0"] as readonly TaskState[]).map((state) => {
      const json = codecs[dialect].encodeResult.getTask(
        { id: "t1", status: { state } },
        { id: "t1" },
      );
      return (json as { readonly status: JsonObject }).status["state"];
    });
    expect(written).toEqual(spellings[dialect]);
  });
});

describe("the roles of a message", () => {
  it.each([
    ["0.1", ["user", "agent"]],
    ["0.1+0.3", ["user", "agent"]],
    ["0.3", ["user", "agent"]],
    ["0.3+type", ["user", "agent"]],
    ["0.3-schema", ["user", "agent"]],
    ["0.3-proto", ["ROLE_USER", "ROLE_AGENT"]],
    ["1.0", ["ROLE_USER", "ROLE_AGENT"]],
  ] as const)("are spelled as dialect %s spells them", (dialect, expected) => {
    verifies("json:enum-names");
    const written = (["ROLE_USER", "ROLE_AGENT"] as const).map((role) => {
      const message = { messageId: "m1", taskId: "t1", role, parts: [{ text: "hi" }] };
      const json = codecs[dialect].encodeRequest.sendMessage({ message });
      return (json as { readonly message: JsonObject })["message"]["role"];
    });
    expect(written).toEqual(expected);
  });
});
