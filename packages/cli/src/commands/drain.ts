import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openBus, openStore } from "@parley/a2a/node";
import { createInProcessBus } from "@parley/a2a/bus";
import type { Bus } from "@parley/a2a/bus";
import { drainNodes, undrainNodes } from "../cluster/drain-nodes.js";
import { findNodes } from "../cluster/find-nodes.js";
import type { Command, CommandOutput } from "../command.js";
import { parseDuration } from "../parse-duration.js";
import { UsageError } from "../usage-error.js";

const hint = "parley help drain";
const lookEveryMs = 100;

/** Asks a node to hand over its tasks, and waits until it has. */
export const drainCommand: Command = {
  usage: [
    "Usage: parley drain NODE [--store URL] [--bus URL] [--timeout DURATION]",
    "       parley drain NODE --undo [--store URL] [--bus URL]",
    "",
    "  NODE                a node's id or its unique beginning, or the address or host of a server, which means",
    "                      all of its nodes; parley cluster status shows them",
    "  --store URL         the store of the cluster: postgres://…, or the path of a SQLite file; default the",
    "                      environment variable DATABASE_URL, else .parley/parley.db",
    "  --bus URL           what tells the node at once: nats://… or postgres://…; default NATS_URL, else the",
    "                      database. Without a bus the node notices within a quarter of its lease",
    "  --timeout DURATION  how long to wait, such as 30s or 2m; default 60s. The mark stays after that",
    "  --undo              take the mark back: the node takes tasks again",
    "",
    "A node that drains answers 503 at /readyz and takes over no tasks. It runs until its process is stopped.",
    "Exit code 5 when tasks are left after the timeout.",
    "",
    "Example:",
    "  parley drain pod-1 --timeout 5m",
    "",
  ].join("\n"),
  async run(args, output) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        store: { type: "string" },
        bus: { type: "string" },
        timeout: { type: "string", default: "60s" },
        undo: { type: "boolean", default: false },
      },
    });
    const [name, ...rest] = positionals;
    if (name === undefined || name === "" || rest.length > 0) {
      throw new UsageError(`drain takes one node, but ${positionals.length} were given`, { hint });
    }
    for (const option of ["store", "bus"] as const) {
      if (values[option] === "")
        throw new UsageError(`--${option} is empty; give a value`, { hint });
    }
    const timeoutMs = parseDuration("--timeout", values.timeout, hint) ?? 0;
    await using store = await openStore(values.store, { mustExist: true });
    const nodes = findNodes(await store.listNodes(), name);
    await using bus = await openBusIfPossible(values, output);
    if (values.undo) {
      await undrainNodes({ store, bus, nodes });
      for (const { node } of nodes) output.stdout.write(`Takes tasks again: ${node}\n`);
      return 0;
    }
    const deadline = performance.now() + timeoutMs;
    const left = await drainNodes({
      store,
      bus,
      nodes,
      onProgress: (count) => output.stderr.write(`${describeCount(count)} left\n`),
      async pause() {
        await sleep(lookEveryMs);
        return performance.now() < deadline;
      },
    });
    if (left > 0) {
      const advice = "the node stays marked; wait longer with --timeout, or see why its runs go on";
      output.stderr.write(
        `Error: ${describeCount(left)} left after ${values.timeout}; ${advice}\n`,
      );
      return 5;
    }
    for (const { node } of nodes) output.stdout.write(`Drained: ${node}\n`);
    return 0;
  },
};

function describeCount(count: number): string {
  return count === 1 ? "1 task is" : `${count} tasks are`;
}

/** The bus; without one the node learns of its mark when it renews its lease. */
async function openBusIfPossible(
  { store, bus }: { readonly store?: string; readonly bus?: string },
  { stderr }: CommandOutput,
): Promise<Bus> {
  try {
    return await openBus(bus, store === undefined ? {} : { store });
  } catch (error) {
    if (bus !== undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    stderr.write(`The node learns of it with its next lease, because the bus is away: ${reason}\n`);
    return createInProcessBus();
  }
}
