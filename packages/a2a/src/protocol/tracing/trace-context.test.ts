import { expect, it } from "vitest";
import { readTrace } from "./trace-context.js";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";
const traceparent = `00-${trace}-${span}-01`;

it("a trace context is read as it was sent", () => {
  expect(readTrace(traceparent, "a=b,c=d")).toEqual({ traceparent, tracestate: "a=b,c=d" });
  expect(readTrace(traceparent)).toEqual({ traceparent });
});

it.each([
  undefined,
  "",
  "00-1",
  `ff-${trace}-${span}-01`,
  `00-${"0".repeat(32)}-${span}-01`,
  `00-${trace}-${"0".repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}-0`,
  `00-${trace}-${span}-01x`,
  `${traceparent}-${"x".repeat(512)}`,
])("a malformed traceparent is dropped: %s", (malformed) => {
  expect(readTrace(malformed, "a=b")).toBeUndefined();
});

it.each(["", "x".repeat(513), "a=\u0000", "a=é"])(
  "a malformed tracestate is left out: %j",
  (malformed) => {
    expect(readTrace(traceparent, malformed)).toEqual({ traceparent });
  },
);

it("of two senders the later one counts, and what a later version adds is left out", () => {
  const later = `00-${trace}-00f067aa0ba902b8-00`;
  expect(readTrace(`${traceparent}, ${later}`)).toEqual({ traceparent: later });
  expect(readTrace(`cc-${trace}-${span}-01-what-the-future`)).toEqual({
    traceparent: `cc-${trace}-${span}-01`,
  });
});
