import { describe, expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import { ManualTimers } from "../../../test/support/time/manual-timers.js";
import { Reconnector } from "./reconnector.js";
import type { ConnectionEnd } from "./reconnector.js";

const lost = new A2AError("UNAVAILABLE", "lost", { cause: new Error("reset") });
const unsent = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });

function ended(outcome: Partial<ConnectionEnd> = {}): ConnectionEnd {
  const stream = { aliveMs: 0, isStalled: false };
  return { taskId: "t", error: lost, stream, sequence: undefined, ...outcome };
}

function reconnector(idempotencyKey?: string): Reconnector {
  const call = { version: "1.0" as const, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  return new Reconnector({ call, clock: new ManualTimers(), maxAttempts: 2, maxReconnects: 4 });
}

/** What it decides on after the same outcome again and again, until it gives up. */
function decisions(one: Reconnector, outcome: ConnectionEnd): readonly string[] {
  const all: string[] = [];
  for (;;) {
    const next = one.decide(outcome);
    all.push(next instanceof Error ? "fail" : next);
    if (next instanceof Error || all.length > 20) return all;
  }
}

describe("before the agent has answered", () => {
  it("makes no call again that the agent may have received", () => {
    expect(reconnector().decide(ended({ taskId: undefined }))).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("whether it has the message is not known") as string,
      cause: lost,
    });
  });

  it.each([
    ["a call with an idempotency key", reconnector("k"), lost, ["call", "call", "call", "fail"]],
    ["a call that was never sent", reconnector(), unsent, ["call", "fail"]],
  ])("makes %s again", (_, one, error, expected) => {
    expect(decisions(one, ended({ taskId: undefined, error }))).toEqual(expected);
  });

  it("fails with what the agent answered", () => {
    const answer = new A2AError("PERMISSION_DENIED", "no");
    expect(reconnector("k").decide(ended({ taskId: undefined, error: answer }))).toBe(answer);
  });
});

describe("once the task is known", () => {
  it("resumes until too many attempts in a row have failed", () => {
    const one = reconnector();
    const expected = ["resume", "resume", "resume", "resume", "fail"];
    expect(decisions(one, ended({ sequence: 7 }))).toEqual(expected);
  });

  it("resumes as often where the agent cannot be reached", () => {
    const expected = ["resume", "resume", "resume", "resume", "fail"];
    expect(decisions(reconnector(), ended({ error: unsent }))).toEqual(expected);
  });

  it("polls a task whose streams are all cut before their first event", () => {
    const expected = ["resume", "resume", "poll", "poll", "fail"];
    expect(decisions(reconnector(), ended())).toEqual(expected);
  });

  it("resumes streams that are cut after an event", () => {
    const one = reconnector();
    const steps = Array.from({ length: 6 }, () => {
      one.heard(true);
      return one.decide(ended());
    });
    expect(new Set(steps)).toEqual(new Set(["resume"]));
  });

  it("counts anew after news, and after a connection that lasted", () => {
    const one = reconnector();
    one.decide(ended());
    one.decide(ended());
    expect(one.attempts).toBe(2);
    one.heard(true);
    one.decide(ended());
    expect(one.attempts).toBe(1);
    one.decide(ended());
    one.decide(ended({ stream: { aliveMs: 5000, isStalled: false } }));
    expect(one.attempts).toBe(1);
  });

  it("polls a task whose stream the agent refuses, but fails when the agent refuses to be polled", () => {
    const one = reconnector();
    const error = new A2AError("UNSUPPORTED_OPERATION", "no streams");
    expect(decisions(one, ended({ error }))).toEqual(["poll", "fail"]);
  });

  it("polls after three connections that stalled or brought nothing new", () => {
    const stalled = ended({ stream: { aliveMs: 0, isStalled: true } });
    expect(decisions(reconnector(), stalled)).toEqual(["resume", "resume", "poll", "poll", "fail"]);
    const one = reconnector();
    const next = [1, 2, 3].map(() => {
      one.heard(true);
      one.heard(false);
      return one.decide(ended({ error: undefined }));
    });
    expect(next).toEqual(["resume", "resume", "poll"]);
  });

  it("fails with an error that no other attempt would change", () => {
    const error = new A2AError("PERMISSION_DENIED", "no");
    expect(reconnector().decide(ended({ error }))).toBe(error);
  });
});
