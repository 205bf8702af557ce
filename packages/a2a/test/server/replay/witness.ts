import type { Store } from "../../../src/store/index.js";
import type { Program } from "./program.js";
import { turn } from "./quick-clock.js";
import { recordsOf } from "./records.js";
import type { Recorded } from "./records.js";

/** What an activation of a handler did, in order: told something, or called for and awaited what may be recorded. */
export type Deed =
  | {
      readonly told: string;
      readonly artifact: string;
      /** Begins the artifact anew. */
      readonly replaces: boolean;
      /** The key of the recorded stream whose text this is. */
      readonly again?: string;
    }
  /** Told a status. */
  | { readonly noted: string }
  | { readonly called: string }
  | { readonly awaited: string };

/** One activation of a handler, from its start to its end, or to wherever it was left. */
export interface Activation {
  readonly taskId: string;
  /** Activations of one task count from 1. One that has lost its task before it begins has the number 0. */
  readonly generation: number;
  readonly node: string;
  readonly program: Program;
  /** How long the log was when it began. */
  readonly begunAt: number;
  readonly deeds: Deed[];
  /** The state in which it ended its task, as far as it knows. */
  end?: "COMPLETED" | "FAILED" | "REJECTED";
}

/** How the process of a node is: at work, standing still, or gone. */
export type Health = "alive" | "paused" | "dead";

/**
 * Sees what handlers do, and lets them: a handler does its next thing when the test lets it go on, and nothing while
 * its node stands still. Whatever contradicts the promises of the runtime is a problem.
 */
export class Witness {
  readonly activations: Activation[] = [];
  readonly problems: string[] = [];
  readonly #store: Store;
  readonly #health = new Map<string, Health>();
  readonly #answers = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  #held: { readonly node: string; readonly go: () => void }[] = [];
  #isUnheld = false;

  constructor(store: Store) {
    this.#store = store;
  }

  of(taskId: string): readonly Activation[] {
    return this.activations.filter((activation) => activation.taskId === taskId);
  }

  setHealth(node: string, health: Health): void {
    this.#health.set(node, health);
  }

  /** Lets handlers do so many things, whoever has waited longest first. */
  async letGo(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) {
      const index = this.#held.findIndex(({ node }) => this.#isAlive(node));
      const [next] = index === -1 ? [] : this.#held.splice(index, 1);
      next?.go();
      await turn();
    }
  }

  /** From now on handlers wait for nobody, as long as their nodes live. */
  letAllGo(): void {
    this.#isUnheld = true;
    const held = this.#held;
    this.#held = held.filter(({ node }) => !this.#isAlive(node));
    for (const { node, go } of held) if (this.#isAlive(node)) go();
  }

  /** Waits until the test lets this node do the next thing. */
  async hold(node: string): Promise<void> {
    if (this.#isUnheld && this.#isAlive(node)) return;
    await new Promise<void>((go) => this.#held.push({ node, go }));
  }

  /** Notes the beginning of an activation, on a node that the store knows under an id. */
  async begin(
    taskId: string,
    on: { readonly node: string; readonly id: string | undefined; readonly program: Program },
  ): Promise<Activation> {
    const { node, id, program } = on;
    const record = await this.#store.loadRecord(taskId);
    // A node that stood still may begin a run that it has already lost.
    const isLost = record !== undefined && record.node !== id;
    const generation = isLost ? 0 : this.of(taskId).length + 1;
    const begunAt = record?.sequence ?? 0;
    const activation = { taskId, generation, node, program, begunAt, deeds: [] };
    if (!isLost) this.activations.push(activation);
    return activation;
  }

  async find({ taskId }: Activation, key: string): Promise<Recorded | undefined> {
    return recordsOf(await this.#store.read(taskId, 0, 100_000)).get(key);
  }

  expect(found: unknown, expected: unknown, what: string, { taskId, generation }: Activation) {
    if (found === expected) return;
    const where = `generation ${generation} of ${taskId}`;
    this.problems.push(`${where}: ${what} is ${String(found)}, expected ${String(expected)}`);
  }

  /** Work that is about to be done has not been recorded, unless by an activation that has taken over the task. */
  async checkUnrecorded(activation: Activation, key: string): Promise<void> {
    if (!this.#isLast(activation)) return;
    const recorded = await this.find(activation, key);
    this.expect(recorded?.value, undefined, `${key}, which is done again,`, activation);
  }

  /** What an activation got is what is recorded. */
  async checkRecorded(activation: Activation, key: string, result: unknown): Promise<void> {
    if (!this.#isLast(activation)) return;
    const recorded = await this.find(activation, key);
    this.expect(result, recorded?.value, `the result of ${key}`, activation);
  }

  /** A step of a task has one idempotency key, and no other step has it. */
  checkKey(taskId: string, key: string, given: string): void {
    const place = `${taskId} ${key}`;
    const known = this.#keys.get(place) ?? given;
    this.#keys.set(place, known);
    if (known !== given) this.problems.push(`${place} has the keys ${known} and ${given}`);
    for (const [other, its] of this.#keys) {
      if (other !== place && its === given) this.problems.push(`${place} and ${other}: ${given}`);
    }
  }

  /** A question gets the answer to it, and the same one whenever it is asked again. */
  checkAnswer(taskId: string, known: string, answer: string): void {
    const place = `${taskId} ${known}`;
    const before = this.#answers.get(place) ?? answer;
    this.#answers.set(place, before);
    if (before !== answer) this.problems.push(`${place} was answered ${before} and ${answer}`);
    if (!answer.startsWith(`${known}:`)) this.problems.push(`${place} was answered ${answer}`);
  }

  #isAlive(node: string): boolean {
    return (this.#health.get(node) ?? "alive") === "alive";
  }

  /** False when another activation has begun since: then this one may not know that it has lost its task. */
  #isLast({ taskId, generation }: Activation): boolean {
    return generation > 0 && this.of(taskId).length === generation;
  }
}
