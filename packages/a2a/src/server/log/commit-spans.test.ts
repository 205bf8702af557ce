import { expect, it } from "vitest";
import type { Span, TraceContext, Tracer } from "../../protocol/internal.js";
import { createTestClock } from "../../testing/index.js";
import { CommitSpans } from "./commit-spans.js";

it("a commit that many runs share is one span, part of the first run and linked to seven more", () => {
  const links: TraceContext[] = [];
  const parents: (TraceContext | undefined)[] = [];
  const span: Span = {
    context: undefined,
    isRecording: true,
    set: () => undefined,
    link: (linked) => void links.push(linked),
    event: () => undefined,
    fail: () => undefined,
    end: () => undefined,
    within: (work) => work(),
    goOnIn: () => undefined,
  };
  const tracer: Tracer = {
    startSpan(_, options = {}) {
      parents.push(options.parent);
      return span;
    },
    active: () => undefined,
  };
  const commits = new CommitSpans(tracer, { store: "memory", clock: createTestClock() });
  const runs = Array.from({ length: 20 }, (_, run) => ({
    traceparent: `00-${"1".repeat(32)}-${String(run + 1).padStart(16, "0")}-01`,
  }));
  for (const run of [...runs, ...runs]) commits.begin(run);
  expect(parents).toEqual([runs[0]]);
  expect(links).toEqual(runs.slice(1, 8));
});
