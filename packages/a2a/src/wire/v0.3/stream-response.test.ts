import { describe, expect, it } from "vitest";
import { Cursor } from "../../protocol/parse/internal.js";
import { codecs } from "../codecs.js";

const status = { state: "working" };
const { decodeEvent, decodeResult } = codecs["0.3"];
const peer = (): Cursor => new Cursor({ code: "INVALID_AGENT_RESPONSE" });

describe("an event of 0.3", () => {
  it.each(["constructor", "__proto__", "toString", "hasOwnProperty", "", 7, null])(
    "of the kind %j is told by its members, or refused",
    (kind) => {
      expect(decodeEvent({ kind, id: "t1", status }, peer(), {})).toHaveProperty("task");
      const words = "expected a task, a message, a status update or an artifact update";
      expect(() => decodeEvent({ kind }, peer(), {})).toThrow(words);
      expect(() => decodeResult.sendMessage({ kind }, peer(), {})).toThrow(words);
    },
  );
});
