import { describe, expect, it, vi } from "vitest";
import type { StreamEvent } from "../../protocol/internal.js";
import { codecs } from "../../wire/internal.js";
import { EventEncoder } from "./event-encoder.js";

const response = {
  artifactUpdate: {
    taskId: "t",
    contextId: "c",
    artifact: { artifactId: "a", parts: [{ text: "hello" }] },
  },
};

function encoderFor(dialect: "0.1" | "0.3" | "1.0") {
  const encodeEvent = vi.fn<(typeof codecs)["1.0"]["encodeEvent"]>(codecs[dialect].encodeEvent);
  const codec = { ...codecs[dialect], encodeEvent };
  const open = () =>
    new EventEncoder(codec, "subscribeToTask", { taskId: undefined, artifactIds: [] });
  return {
    encodeEvent,
    open: () => (event: StreamEvent) => open().textsOf(event),
    openLarge: () => (event: StreamEvent) => open().largeTextsOf(event),
  };
}

describe("an event that several watch", () => {
  it("is encoded once for all streams of one dialect", () => {
    const shared: StreamEvent = { response, sequence: 3, encodings: new Map() };
    for (const dialect of ["1.0", "0.3"] as const) {
      const { encodeEvent, open } = encoderFor(dialect);
      const [one, other] = [open()(shared), open()(shared)];
      expect(other).toBe(one);
      expect(one[0]).toContain("hello");
      expect(encodeEvent).toHaveBeenCalledTimes(1);
    }
  });

  it("is encoded for each stream of 0.1, which counts artifacts by itself", () => {
    const { encodeEvent, open } = encoderFor("0.1");
    const shared: StreamEvent = { response, sequence: 3, encodings: new Map() };
    expect(open()(shared)).toEqual(open()(shared));
    expect(encodeEvent).toHaveBeenCalledTimes(2);
  });
});

it("nothing is kept of an event that one watches", () => {
  const { encodeEvent, open } = encoderFor("1.0");
  const event: StreamEvent = { response, sequence: 3 };
  open()(event);
  open()(event);
  expect(encodeEvent).toHaveBeenCalledTimes(2);
  expect(event.encodings).toBeUndefined();
});

it.each(["0.1", "0.3", "1.0"] as const)(
  "a large task is encoded once for all streams of %s",
  async (dialect) => {
    const { encodeEvent, open, openLarge } = encoderFor(dialect);
    const artifacts = ["a", "b"].map((artifactId) => ({ artifactId, parts: [{ text: "hello" }] }));
    const task = { id: "t", status: { state: "TASK_STATE_WORKING" }, artifacts } as const;
    const large: StreamEvent = { response: { task }, encodings: new Map(), isLarge: true };
    const encodings = await Promise.all([openLarge()(large), openLarge()(large)]);
    expect(encodeEvent).toHaveBeenCalledTimes(1);
    expect(encodings[1]).toBe(encodings[0]);
    const texts = encodings[0]?.map((pieces) => new TextDecoder().decode(Buffer.concat(pieces)));
    expect(texts).toEqual(open()({ response: { task } }));
  },
);

it("a long text that several streams share is bytes, which are shared, too", () => {
  const parts = [{ text: "ü".repeat(10_000) }];
  const artifact = { artifactId: "a", parts };
  const long = { artifactUpdate: { ...response.artifactUpdate, artifact } };
  const { open } = encoderFor("1.0");
  const shared: StreamEvent = { response: long, sequence: 3, encodings: new Map() };
  const [[one], [other], [alone]] = [open()(shared), open()(shared), open()({ response: long })];
  expect(one).toBeInstanceOf(Uint8Array);
  expect(other).toBe(one);
  expect(new TextDecoder().decode(one as Uint8Array)).toBe(alone);
});
