import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { agent, connect } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { openFolder } from "../support/files/open-folder.js";
import { linksOf, recordSpans, traceOf } from "./record-spans.js";

/** What the process has begun: a span, or its server. */
interface Told {
  readonly name: string;
  readonly url?: string;
  readonly traceId?: string;
  readonly spanId?: string;
}

const leaseMs = 3000;
const script = fileURLToPath(new URL("./serve-traced.mjs", import.meta.url));
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

it("a run whose process is killed goes on in another, with links to its call and to the run that was killed", async () => {
  await using folder = await openFolder();
  using recorded = recordSpans();
  const path = folder.file();
  const child = fork(script, [path, `${leaseMs}`]);
  const told: Told[] = [];
  child.on("message", (message) => told.push(message as Told));
  const find = async (name: string): Promise<Told> => {
    await expect.poll(() => told.map((one) => one.name)).toContain(name);
    return told.find((one) => one.name === name) ?? { name };
  };
  try {
    const { url = "" } = await find("serves");
    const endless = agent({
      name: "Endless",
      description: "Does a step, and is done",
      durable: true,
      async *run({ step }) {
        yield "begun";
        yield ` and done ${await step("first", () => 2)}`;
      },
    });
    const { telemetry } = recorded;
    const log = { level: "error" } as const;
    const options = { port: 0, store: path, telemetry, settings: { leaseMs }, log };
    await using other = await serve(endless, options);
    const caller = await connect(url);
    const trace = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const started = await caller.start("go", { trace });
    await find("done");
    child.kill("SIGKILL");
    await once(child, "exit");
    const id = started.kind === "task" ? started.id : "";
    const elsewhere = await connect(other.url);
    const state = async () => (await elsewhere.service.getTask({ id })).status.state;
    await expect.poll(state).toBe("TASK_STATE_COMPLETED");
    await expect.poll(() => recorded.named("run Endless")).toHaveLength(1);
    const run = recorded.one("run Endless");
    const [sent, killed] = [await find("SendMessage"), await find("run Endless")];
    expect(linksOf(run)).toEqual([sent.spanId, killed.spanId]);
    // The call is part of its caller's trace. Nobody waited for the run, which had a trace of its own.
    expect(run.links.map(({ context }) => context.traceId)).toEqual([traceId, killed.traceId]);
    expect([traceId, killed.traceId]).not.toContain(traceOf(run));
    expect(run.attributes).toMatchObject({
      "parley.run.reason": "recovered",
      "parley.run.attempt": 2,
      "parley.node.slot": 1,
      "a2a.task.id": id,
    });
    expect(recorded.named("step first"), "it is in the log").toEqual([]);
  } finally {
    child.kill("SIGKILL");
  }
});
