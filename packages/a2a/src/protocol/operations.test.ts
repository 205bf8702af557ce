import { describe, expect, it } from "vitest";
import { isStreaming, operations } from "./operations.js";

describe("the operations", () => {
  it("are eleven, each named once", () => {
    expect(operations).toHaveLength(11);
    expect(new Set(operations).size).toBe(11);
  });

  it("stream in two cases", () => {
    expect(operations.filter(isStreaming)).toEqual(["sendStreamingMessage", "subscribeToTask"]);
  });
});
