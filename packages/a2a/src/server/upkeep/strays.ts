import type { RunEnvironment } from "../run-environment.js";
import { beats } from "./node-lease.js";
import type { Recovery } from "./recover-tasks.js";

/** After how many beats this node looks at the latest, although its store says that there is nothing to see. */
const restBeats = 16;

/**
 * Compares what this node holds according to the store with what it works on. A waiting handler whose task is active
 * has an answer whose wake-up was lost: it goes on. A task that nobody here works on, and nobody has claimed since the
 * last time, is left to recovery: the answer to this node's claim of it was lost, for example.
 */
export class Strays {
  readonly #parts: Recovery;
  /** Tasks that no handler here works on, and their epochs when they were found. */
  #found: ReadonlyMap<string, number> = new Map();
  /** The store's `foreignVersion` at the last beat. */
  #version: number | undefined;
  /** For how many beats this node goes on to look, and after how many it looks again. */
  #looks = 0;
  #rests = 0;

  constructor(parts: Recovery) {
    this.#parts = parts;
  }

  /** Looks for strays, unless nobody but this node has written, and all of its writes were answered. */
  async find(): Promise<void> {
    const { environment } = this.#parts;
    if (await this.#mayDiffer(environment)) this.#found = await this.#look(environment);
  }

  /** True for a lease after the store has told of something. A run that loses its task then may yet be at work. */
  async #mayDiffer({ store }: RunEnvironment): Promise<boolean> {
    const version = await store.foreignVersion?.().catch(() => undefined);
    if (version === undefined || version !== this.#version) this.#looks = beats;
    this.#version = version;
    this.#looks -= 1;
    this.#rests -= 1;
    if (this.#looks < 0 && this.#rests > 0 && this.#found.size === 0) return false;
    this.#rests = restBeats;
    return true;
  }

  async #look({ store, node, orphans }: RunEnvironment): Promise<ReadonlyMap<string, number>> {
    const { agent, runner } = this.#parts;
    const found = new Map<string, number>();
    for (const taskId of await store.listHeld(agent.name, node)) {
      if (runner.isAtWork(taskId) || orphans.has(taskId) || runner.answers.wake(taskId)) continue;
      const record = await store.loadRecord(taskId);
      if (record === undefined) continue;
      if (this.#found.get(taskId) === record.epoch) orphans.add(taskId);
      else found.set(taskId, record.epoch);
    }
    return found;
  }
}
