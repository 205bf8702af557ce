import { expect, test } from "vitest";
import { FrameReader } from "./read-frames.js";
import { createRedactor } from "./redact.js";

const stream =
  ': alive\r\n\r\nid: 1\ndata: {"a":"\u00e4\u20ac"}\n\nevent: x\ndata: one\ndata: two\n\n\n:\n\n';

test.each([1, 2, 3, 7, 1000])("reads frames from pieces of %i bytes", (size) => {
  const bytes = new TextEncoder().encode(stream);
  const reader = new FrameReader();
  const frames = [];
  for (let at = 0; at < bytes.length; at += size) {
    frames.push(...reader.read(bytes.subarray(at, at + size)));
  }
  expect(frames.map(({ kind, id, event, data }) => ({ kind, id, event, data }))).toEqual([
    { kind: "comment", data: "alive" },
    { kind: "event", id: "1", data: '{"a":"\u00e4\u20ac"}' },
    { kind: "event", event: "x", data: "one\ntwo" },
    { kind: "comment", data: "" },
  ]);
});

test("says where in a piece a frame ends, so that a stream can be cut there", () => {
  const text = "data: 1\n\ndata: 2\n\ndata: 3";
  const ends = new FrameReader().read(new TextEncoder().encode(text)).map(({ end }) => end);
  expect(ends.map((end) => text.slice(0, end))).toEqual(["data: 1\n\n", "data: 1\n\ndata: 2\n\n"]);
});

test.each([
  '"password":"canary-secret',
  '"text":"canary-secret',
  '"url":"https://a.example/?password=canary-secret',
])(
  "a line that is cut in the middle of a secret shows no half of it once it is redacted: %s",
  (member) => {
    const line = `data: {"long":"${"x".repeat(1024 * 1024)}",${member}`;
    const reader = new FrameReader();
    const bytes = new TextEncoder().encode(line);
    // The cut is where a piece ends.
    reader.read(bytes.subarray(0, -"secret".length));
    const [frame] = reader.read(new TextEncoder().encode('secret"}\n\n'));
    expect(frame?.data).toMatch(/canary-$/);
    expect(createRedactor(["canary-secret"]).text(frame?.data ?? "")).not.toContain("canary");
  },
);
