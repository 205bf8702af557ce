import { fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { StreamResponse } from "@parley/a2a";
import { hashEvent } from "@parley/a2a/testing";
import type { StreamedEvent } from "@parley/a2a/testing";
import type { Recorder } from "../recorder.js";

export interface Watching {
  /** The ports of the nodes. */
  readonly ports: readonly number[];
  readonly taskIds: readonly string[];
  readonly watchers: number;
  /** The file for what they have seen. */
  readonly results: string;
}

/** Watchers in a process of their own. */
export interface Watchers extends AsyncDisposable {
  /** Drops all connections at once. */
  drop(): void;
  /** Resolves once all watch, or have seen the end. */
  untilBack(): Promise<void>;
  /** Resolves once all have seen the end, and writes down what they saw. */
  finish(recorder: Recorder): Promise<void>;
}

/** What the process tells: how many watchers are back since so many drops, and how many have seen the end. */
interface Told {
  readonly drops: number;
  readonly back: number;
  readonly ended: number;
  readonly isDone?: boolean;
}

/** What the process leaves: every event once, and who saw which. */
interface Seen {
  readonly events: readonly {
    readonly at: number;
    readonly id: number;
    readonly response: StreamResponse;
  }[];
  readonly streams: readonly {
    readonly taskId: string;
    readonly seen: readonly number[];
    readonly connections: number;
  }[];
}

const script = fileURLToPath(new URL("./watch-many.mjs", import.meta.url));

/** How long watchers may take to come back, all of them, on a machine that does other things too. */
const patienceMs = 300_000;

export function watchMany(watching: Watching): Watchers {
  const child = fork(script, [JSON.stringify(watching)]);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let told: Told = { drops: 0, back: 0, ended: 0 };
  let drops = 0;
  let isOver = false;
  child.on("message", (message) => (told = message as Told));
  child.once("exit", () => (isOver = true));
  const until = async (what: string, isSo: () => boolean): Promise<void> => {
    const deadline = Date.now() + patienceMs;
    while (!isSo()) {
      const state = `${told.back} of ${watching.watchers} are back, ${told.ended} have seen the end`;
      if (isOver) throw new Error(`the process of the watchers ended before ${what}: ${state}`);
      if (Date.now() > deadline) throw new Error(`not ${what} after ${patienceMs} ms: ${state}`);
      await sleep(50);
    }
  };
  return {
    drop() {
      drops += 1;
      child.send("drop");
    },
    untilBack: () =>
      until("all were back", () => told.drops === drops && told.back >= watching.watchers),
    async finish(recorder) {
      await until("all had seen the end", () => told.isDone === true);
      const { events, streams } = JSON.parse(await readFile(watching.results, "utf8")) as Seen;
      const absent = streams.filter(({ connections }) => connections <= drops).length;
      if (absent > 0) throw new Error(`${absent} watchers were not there for all ${drops} drops`);
      // Watchers share what they saw alike: there are many more of them than events.
      const shown = events.map(({ at, id, response }): StreamedEvent => ({
        at,
        id,
        hash: hashEvent(response),
        ...(response.task !== undefined && { isTask: true }),
      }));
      for (const [number, { taskId, seen, connections }] of streams.entries()) {
        const stream = recorder.open(`watcher ${number} over ${connections} connections`, taskId);
        stream.events.push(...seen.map((index) => shown[index] as StreamedEvent));
        stream.outcome = "ended";
      }
    },
    async [Symbol.asyncDispose]() {
      if (!isOver) child.kill("SIGKILL");
      await exited;
    },
  };
}
