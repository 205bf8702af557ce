import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { agent, connect } from "@parley/a2a";
import type { Span, Tracer } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";

/** Counts what is asked of a tracer and of its spans, by name. The spans of commits count apart: a stream has many. */
class CountingTracer implements Tracer {
  readonly begun: string[] = [];
  calls: Record<string, number> = {};
  readonly #isSeen: boolean;

  constructor(isSeen = true) {
    this.#isSeen = isSeen;
  }

  startSpan(name: string): Span {
    this.begun.push(name);
    const count = (call: string): void => {
      if (name !== "append") this.calls[call] = (this.calls[call] ?? 0) + 1;
    };
    const isSeen = this.#isSeen;
    const id = String(this.begun.length).padStart(16, "0");
    return {
      context: {
        get traceparent() {
          count("write");
          return `00-${"1".repeat(32)}-${id}-01`;
        },
        ...(!isSeen && { isUnseen: true }),
      },
      isRecording: isSeen,
      set: () => count("set"),
      link: () => count("link"),
      event: () => count("event"),
      fail: () => count("fail"),
      end: () => count("end"),
      within: (work) => {
        count("within");
        return work();
      },
      goOnIn: () => count("goOnIn"),
    };
  }

  active(): undefined {
    this.calls["active"] = (this.calls["active"] ?? 0) + 1;
  }
}

const counting = agent({
  name: "Counting",
  description: "Says so many chunks",
  async *run({ text }) {
    yield { status: "Counting" };
    for (let said = 0; said < Number(text); said += 1) yield `${said} `;
  },
});

async function open(tracer: Tracer): Promise<Server> {
  return serve(counting, { port: 0, store: createMemoryStore(), telemetry: { tracer } });
}

it("the whole life of a task takes four spans", async () => {
  const tracer = new CountingTracer();
  await using server = await open(tracer);
  const remote = await connect(server.url);
  tracer.begun.length = 0;
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "1" }] } as const;
  const { task } = await remote.service.sendMessage({ message });
  expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  expect(tracer.begun).toEqual(["POST", "SendMessage", "run Counting", "append"]);
});

it("a call that nobody will see takes a span for its request and one for its run, and writes no trace", async () => {
  const tracer = new CountingTracer(false);
  await using server = await open(tracer);
  const remote = await connect(server.url);
  tracer.begun.length = 0;
  tracer.calls = {};
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "1" }] } as const;
  const { task } = await remote.service.sendMessage({ message });
  expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  expect(tracer.begun).toEqual(["POST", "run Counting"]);
  expect(tracer.calls).toEqual({ active: 1, within: 1, event: 1, end: 1 });
});

it("a chunk asks nothing of the tracer, and enters no context", async () => {
  const asked = async (chunks: number): Promise<Record<string, number>> => {
    const tracer = new CountingTracer();
    await using server = await open(tracer);
    const remote = await connect(server.url);
    let heard = 0;
    for await (const _ of remote.stream(`${chunks}`)) heard += 1;
    expect(heard).toBeGreaterThan(chunks / 2);
    await expect.poll(() => tracer.calls["end"]).toBe(4);
    return tracer.calls;
  };
  expect(await asked(400)).toEqual(await asked(4));
});

it("an event allocates nothing on its way through a service that traces", async () => {
  const script = fileURLToPath(new URL("./take-events.mjs", import.meta.url));
  const flags = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
  const { seen, unseen } = JSON.parse(stdout) as Record<"seen" | "unseen", number>;
  // The smallest object takes 16 bytes; what the measurement itself takes is spread over all events.
  expect(unseen).toBeLessThan(4);
  expect(seen).toBeLessThan(4);
});
