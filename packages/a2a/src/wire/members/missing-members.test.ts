import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { Cursor, parseMessage } from "../../protocol/parse/internal.js";
import { codecs } from "../codecs.js";
import {
  completeArtifact,
  completeMessage,
  completeUpdates,
  forPeers,
  withDefaults,
} from "./missing-members.js";
import { memberNamed } from "./named-member.js";

const newId = (): string => "made up";
const peer = (at: readonly (string | number)[] = []): Cursor =>
  new Cursor({ code: "INVALID_AGENT_RESPONSE", newId, at });
const caller = (): Cursor => new Cursor({ newId });

describe("defaults", () => {
  it("stand in for members that are absent or null, and for no others", () => {
    const given = { a: null, b: "", c: 0, d: false };
    expect(withDefaults(given, { a: 1, b: 1, c: 1, d: 1, e: 1 })).toEqual({
      a: 1,
      b: "",
      c: 0,
      d: false,
      e: 1,
    });
  });

  it("leave alone what has a value under its name in snake_case", () => {
    verifies("json:snake-case-input");
    expect(withDefaults({ page_size: 3 }, { pageSize: 0 })).toEqual({ page_size: 3 });
    expect(memberNamed({ page_size: 3 }, "pageSize")).toBe(3);
    expect(memberNamed({ page_size: null }, "pageSize")).toBeNull();
  });

  it("give back the very members when nothing is missing", () => {
    const given = { a: 1 };
    expect(withDefaults(given, { a: 2 })).toBe(given);
  });

  it("are for peers; a caller is told what is missing", () => {
    const parse = forPeers(parseMessage, completeMessage);
    const given = { parts: [{ text: "hi" }] };
    expect(parse(given, peer())).toEqual({ ...given, messageId: "made up", role: "ROLE_AGENT" });
    expect(() => parse(given, caller())).toThrow("messageId: this member is required");
    expect(() => parse("hi", peer())).toThrow("expected an object, got a string");
  });
});

describe("a peer's message", () => {
  it.each<[object, object]>([
    [{}, { messageId: "made up", role: "ROLE_AGENT" }],
    [
      { messageId: " ", role: null },
      { messageId: "made up", role: "ROLE_AGENT" },
    ],
    [
      { messageId: "m1", role: "ROLE_USER" },
      { messageId: "m1", role: "ROLE_USER" },
    ],
    [
      { message_id: "m1", role: 2 },
      { message_id: "m1", role: 2 },
    ],
    [
      { messageId: 7, role: 2 },
      { messageId: 7, role: 2 },
    ],
  ])("is given what it lacks: %j", (given, expected) => {
    expect(completeMessage({ ...given }, peer())).toEqual(expected);
  });
});

describe("a peer's artifact", () => {
  it("without an id is known by its place, or as the first", () => {
    expect(completeArtifact({}, peer(["artifacts", 2]))).toEqual({ artifactId: "artifact-2" });
    expect(completeArtifact({}, peer(["artifact"]))).toEqual({ artifactId: "artifact-0" });
    expect(completeArtifact({ artifact_id: "a1" }, peer())).toEqual({ artifact_id: "a1" });
  });
});

describe("a peer's update", () => {
  const known = { taskId: "t1", contextId: "c1" };

  it.each<[object, object]>([
    [{ statusUpdate: {} }, { statusUpdate: known }],
    [{ status_update: { task_id: "t2" } }, { status_update: { task_id: "t2", contextId: "c1" } }],
    [
      { artifactUpdate: { contextId: "c2" } },
      { artifactUpdate: { contextId: "c2", taskId: "t1" } },
    ],
    [{ task: {} }, { task: {} }],
  ])("is given the ids that are known: %j", (given, expected) => {
    expect(completeUpdates(given, known)).toEqual(expected);
  });

  it("has an empty context where none is known", () => {
    expect(completeUpdates({ statusUpdate: { taskId: "t1" } }, {})).toEqual({
      statusUpdate: { taskId: "t1", contextId: "" },
    });
  });

  it.each([null, "x", [], {}])("is left to the parser when it is none: %j", (given) => {
    expect(completeUpdates(given, known)).toBe(given);
  });
});

describe("a peer that writes snake_case", () => {
  const status = { state: "TASK_STATE_WORKING" };

  it("is understood in a list of tasks", () => {
    const page = { tasks: [], next_page_token: "next", page_size: 5, total_size: 9 };
    expect(codecs["1.0"].decodeResult.listTasks(page, peer(), {})).toEqual({
      tasks: [],
      nextPageToken: "next",
      pageSize: 5,
      totalSize: 9,
    });
  });

  it.each(["0.3-proto", "1.0"] as const)("is understood in events of dialect %s", (dialect) => {
    const update = { status_update: { task_id: "t1", context_id: "c1", status } };
    expect(codecs[dialect].decodeEvent(update, peer(), {})).toEqual({
      statusUpdate: { taskId: "t1", contextId: "c1", status },
    });
  });

  it("is understood in a message of the 0.3 protobuf, as is a caller", () => {
    const message = { message_id: "m1", role: "ROLE_USER", content: [{ text: "hi" }] };
    const { decodeRequest, decodeEvent } = codecs["0.3-proto"];
    expect(decodeRequest.sendMessage({ message }, caller()).message.messageId).toBe("m1");
    expect(decodeEvent({ message }, peer(), {}).message?.messageId).toBe("m1");
  });
});
