/**
 * A node of a cluster in a process of its own: two agents over a store and a bus that its options name. What its steps do
 * and what the store acknowledges goes to a file at once, so that nothing of it is lost when the process is killed.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { holdWrites } from "./hold-writes.mjs";
import { mutateBus, mutateClock, mutateStore } from "./mutants.mjs";
import { openBus, openStore } from "./open-engines.mjs";

const options = JSON.parse(process.argv[2]);
const { name, port, grpcPort, traces, settings, mutant, revision = "1" } = options;

function trace(what) {
  const at = Number(process.hrtime.bigint() / 1000n) / 1000;
  appendFileSync(traces, `${JSON.stringify({ ...what, at, node: name })}\n`);
}

/** A step that leaves a trace each time its work is done, and each time it returns. */
async function tracedStep({ step, taskId }, named) {
  const made = await step(named, async () => {
    await sleep(1);
    const id = randomUUID();
    trace({ kind: "done", taskId, step: named, result: JSON.stringify(id) });
    return id;
  });
  trace({ kind: "returned", taskId, step: named, result: JSON.stringify(made) });
  return made;
}

/** No handler waits longer than this. */
const longestMs = 20_000;

/** What the agent does is the first word of the message. */
const behaviours = {
  /** Steps with chunks between them. */
  async *work(context, steps, chunks, pauseMs) {
    const { signal } = context;
    for (let step = 0; step < Number(steps); step += 1) {
      await tracedStep(context, `step ${step}`);
      for (let chunk = 0; chunk < Number(chunks); chunk += 1) {
        yield `${step}.${chunk} `;
        await sleep(Number(pauseMs), undefined, { signal });
      }
    }
  },
  async *ask(context) {
    yield "asking ";
    await tracedStep(context, "before");
    const answer = await context.ask("Which one?");
    await tracedStep(context, "after");
    yield `answered by ${textOf(answer)}`;
  },
  /** Takes messages while it works, if they come in time. */
  async *listen({ nextMessage, signal }, count) {
    for (let number = 0; number < Number(count); number += 1) {
      yield `listening ${number} `;
      const late = sleep(longestMs, undefined, { signal });
      const message = await Promise.race([nextMessage(), late]);
      if (message === undefined) return;
      yield `got ${textOf(message)} `;
    }
  },
  /** Until it is canceled, or has waited for long. */
  async *obey({ signal, taskId }, forMs = `${longestMs}`) {
    yield "begun";
    try {
      await sleep(Number(forMs), undefined, { signal });
    } catch (error) {
      trace({ kind: "aborted", taskId });
      throw error;
    }
  },
};

function chaosAgent(named, durable) {
  return agent({
    name: named,
    description: "Does what it is told",
    version: revision,
    durable,
    capabilities: { streaming: true, pushNotifications: true },
    run(context) {
      const [what = "", ...words] = context.text.split(" ");
      return behaviours[what]?.(context, ...words) ?? `You said: ${context.text}`;
    },
  });
}

const report = (error, about) => {
  process.stderr.write(`${name} ${about}: ${error?.stack ?? error}\n`);
};

/** Tells which node wrote what, as the store has acknowledged it. */
function traceAppends(store) {
  return new Proxy(store, {
    get(target, member) {
      if (member !== "append") {
        const value = Reflect.get(target, member, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async (append) => {
        const appended = await target.append(append);
        const { taskId, events, expectedSequence } = append;
        const { sequence = (expectedSequence ?? 0) + events.length, epoch = append.epoch } =
          appended;
        const isAtEnd = expectedSequence === undefined;
        const count = events.length;
        if (count > 0) trace({ kind: "append", taskId, sequence, count, epoch, isAtEnd });
        return appended;
      };
    },
  });
}

const opened = await openStore(options.store, report);
const store = traceAppends(holdWrites(mutateStore(opened, mutant)));
const bus = mutateBus(await openBus(options.bus), mutant);
const clock = mutateClock(mutant);
const server = await serve(
  { "/": chaosAgent("Chaos", true), "/plain": chaosAgent("Plain", false) },
  {
    port,
    grpc: { port: grpcPort, inCard: false },
    store,
    ...(bus && { bus }),
    ...(clock && { clock }),
    settings,
    report,
    heartbeatMs: options.heartbeatMs ?? 500,
    drainMs: 500,
    push: { allowPrivate: true },
    publicHosts: options.publicHosts,
    maxConnections: 50_000,
  },
);

async function stop() {
  await server.close();
  await store.close();
  await bus?.close();
  process.exit();
}

// As a process manager stops it: it is given time to leave its work to others.
process.on("SIGTERM", () => void stop());
// Nobody is left to drive it.
process.on("disconnect", () => process.exit());
process.send({ ready: true });
