import type { Handler } from "../../../src/server/index.js";
import { textOf } from "../../../src/server/internal.js";
import type { Store } from "../../../src/store/index.js";
import { chunkOf, countOf } from "./program.js";
import type { Instruction, Program } from "./program.js";
import { recordsOf } from "./records.js";
import type { Recorded } from "./records.js";
import { turn } from "./quick-clock.js";

/** What an activation of a handler did, in order: told something, or asked for what may be recorded. */
export type Deed =
  | {
      readonly told: string;
      readonly artifact: string;
      /** Begins the artifact anew. */
      readonly replaces: boolean;
    }
  | { readonly asked: string };

/** One activation of a handler, from its start to its end, or to wherever it was left. */
export interface Activation {
  readonly taskId: string;
  /** Activations of one task count from 1. */
  readonly generation: number;
  readonly node: string;
  readonly program: Program;
  /** How long the log was when it began. */
  readonly begunAt: number;
  readonly deeds: Deed[];
  /** The state in which it ended its task, as far as it knows. */
  end?: "COMPLETED" | "FAILED" | "REJECTED";
}

/** How the processes of the handlers are: at work, standing still, or gone. */
export type Health = "alive" | "paused" | "dead";

/**
 * Performs programs as handlers, and notes what they did. A handler does its next thing when the test lets it, and
 * nothing while its node stands still. Whatever contradicts the promises of the runtime is a problem.
 */
export class Performer {
  readonly activations: Activation[] = [];
  readonly problems: string[] = [];
  readonly #store: Store;
  readonly #health = new Map<string, Health>();
  readonly #ids = new Map<string, () => string | undefined>();
  readonly #answers = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  #waiting: { readonly node: string; readonly go: () => void }[] = [];
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
      const index = this.#waiting.findIndex(({ node }) => this.#isAlive(node));
      const [next] = index === -1 ? [] : this.#waiting.splice(index, 1);
      next?.go();
      await turn();
    }
  }

  /** From now on handlers wait for nobody, as long as their nodes live. */
  letAllGo(): void {
    this.#isUnheld = true;
    for (const { go } of this.#waiting.filter(({ node }) => this.#isAlive(node))) go();
    this.#waiting = this.#waiting.filter(({ node }) => !this.#isAlive(node));
  }

  /** The handler of a node. `idOf` says under which id the store knows the node. */
  handler(node: string, programs: readonly Program[], idOf: () => string | undefined): Handler {
    const performer = this;
    this.#ids.set(node, idOf);
    return async function* (context) {
      const { taskId, text, ask, step, stream, fail, reject } = context;
      const program = programs[Number(text)] ?? { instructions: [], ending: "nothing" };
      const record = await performer.#store.loadRecord(taskId);
      const begunAt = record?.sequence ?? 0;
      // A node that stood still may begin a run that it has already lost.
      const isLost = record !== undefined && record.node !== performer.#ids.get(node)?.();
      const generation = isLost ? 0 : performer.of(taskId).length + 1;
      const deeds: Deed[] = [];
      const activation: Activation = {
        taskId,
        generation,
        node,
        program,
        begunAt,
        deeds,
      };
      if (!isLost) performer.activations.push(activation);
      const counts = new Map<string, number>();
      /** Artifacts that streams have gone into. */
      const begun = new Set<string>();
      const nthOf = (kind: string, name: string): number => {
        const nth = (counts.get(`${kind}:${name}`) ?? 0) + 1;
        counts.set(`${kind}:${name}`, nth);
        return nth;
      };
      const tell = (artifact: string, told: string, replaces = false): string => {
        deeds.push({ told, artifact, replaces });
        return told;
      };
      const hold = (): Promise<void> => performer.#hold(node);

      const take = (name: string, fails = 0, retries = 0): Promise<unknown> => {
        const nth = nthOf("step", name);
        const key = `step:${name}:${nth}`;
        deeds.push({ asked: key });
        const value = `${name}#${nth} g${generation}`;
        return step(
          name,
          async ({ attempt, key: given }) => {
            await hold();
            await performer.#checkUnrecorded(activation, key);
            performer.#checkKey(taskId, key, given);
            await hold();
            if (attempt <= fails) throw new Error("as told");
            return value;
          },
          { retries, backoff: { firstMs: 10 } },
        ).then(async (result) => {
          await performer.#checkRecorded(activation, key, result);
        });
      };

      const question = async (name: string | undefined): Promise<void> => {
        const nth = nthOf("question", name ?? "");
        const key = `question:${name ?? ""}:${nth}`;
        const known = name ?? `unnamed-${nth}`;
        deeds.push({ asked: key });
        // Models rephrase.
        const words = `${known} of g${generation}?`;
        const answer = textOf(await ask(words, name === undefined ? {} : { name }));
        performer.#checkAnswer(taskId, known, answer);
      };

      async function* follow(instruction: Instruction) {
        switch (instruction.do) {
          case "say": {
            const count = countOf(instruction, generation);
            for (let index = 0; index < count; index += 1) {
              await hold();
              const { artifact } = instruction;
              const chunk = tell(
                artifact ?? "answer",
                chunkOf(instruction, { index, count, generation }),
              );
              yield artifact === undefined ? chunk : { artifact, text: chunk, append: true };
            }
            return;
          }
          case "put": {
            await hold();
            const { artifact } = instruction;
            const place = { index: 0, count: 1, generation };
            yield { artifact, text: tell(artifact, chunkOf(instruction, place), true) };
            return;
          }
          case "status":
            await hold();
            yield { status: chunkOf(instruction, { index: 0, count: 1, generation }) };
            return;
          case "step":
            await hold();
            await take(instruction.name, instruction.fails, instruction.retries);
            return;
          case "parallel":
            await hold();
            await Promise.all(instruction.names.map((name) => take(name)));
            return;
          case "stream": {
            await hold();
            const { name, artifact } = instruction;
            const key = `stream:${name}:${nthOf("stream", name)}`;
            const made: string[] = [];
            const recorded = await performer.#find(activation, key);
            deeds.push({ asked: key });
            if (recorded !== undefined) begun.add(recorded.artifact ?? "");
            const count = countOf({ ...instruction, varies: true }, generation);
            const source = async function* () {
              await performer.#checkUnrecorded(activation, key);
              for (let index = 0; index < count; index += 1) {
                await hold();
                const place = { index, count, generation };
                const chunk = chunkOf({ ...instruction, varies: true }, place);
                made.push(chunk);
                // The first stream into an artifact of its own begins it anew.
                const isFirst = artifact !== undefined && !begun.has(artifact);
                if (artifact !== undefined) begun.add(artifact);
                yield tell(artifact ?? "answer", chunk, isFirst);
                if (index === 0) yield undefined;
              }
            };
            const whole = yield* stream(name, source, artifact === undefined ? {} : { artifact });
            if (recorded === undefined) {
              performer.#expect(whole, made.join(""), `the whole of ${key}`, activation);
            }
            await performer.#checkRecorded(activation, key, whole);
            return;
          }
          case "ask":
            await hold();
            await Promise.all([
              question(instruction.name),
              instruction.beside === undefined ? undefined : take(instruction.beside),
            ]);
        }
      }

      try {
        await hold();
        if (program.instructions.length === 0) yield { status: "nothing to do" };
        for (const instruction of program.instructions) yield* follow(instruction);
        await hold();
      } catch (error) {
        activation.end = "FAILED";
        throw error;
      }
      switch (program.ending) {
        case "fail":
          activation.end = "FAILED";
          return fail("as told");
        case "throw":
          activation.end = "FAILED";
          throw new Error("as told");
        case "reject":
          activation.end = "REJECTED";
          return reject("as told");
        case "text":
          activation.end = "COMPLETED";
          return tell("answer", `[end g${generation}]`);
        case "nothing":
          activation.end = "COMPLETED";
          return undefined;
      }
    };
  }

  /** Waits until the test lets this node do the next thing. */
  async #hold(node: string): Promise<void> {
    if (this.#isUnheld && this.#isAlive(node)) return;
    await new Promise<void>((go) => this.#waiting.push({ node, go }));
  }

  #isAlive(node: string): boolean {
    return (this.#health.get(node) ?? "alive") === "alive";
  }

  #expect(found: unknown, expected: unknown, what: string, { taskId, generation }: Activation) {
    if (found === expected) return;
    const where = `generation ${generation} of ${taskId}`;
    this.problems.push(`${where}: ${what} is ${String(found)}, expected ${String(expected)}`);
  }

  /** Whether another activation has begun since: then this one may not know that it has lost its task. */
  #isLast({ taskId, generation }: Activation): boolean {
    return generation > 0 && this.of(taskId).length === generation;
  }

  async #find({ taskId }: Activation, key: string): Promise<Recorded | undefined> {
    return recordsOf(await this.#store.read(taskId, 0, 100_000)).get(key);
  }

  async #checkUnrecorded(activation: Activation, key: string): Promise<void> {
    if (!this.#isLast(activation)) return;
    const recorded = await this.#find(activation, key);
    this.#expect(recorded?.value, undefined, `${key}, which is done again,`, activation);
  }

  async #checkRecorded(activation: Activation, key: string, result: unknown): Promise<void> {
    if (!this.#isLast(activation)) return;
    const recorded = await this.#find(activation, key);
    this.#expect(result, recorded?.value, `the result of ${key}`, activation);
  }

  #checkKey(taskId: string, key: string, given: string): void {
    const place = `${taskId} ${key}`;
    const known = this.#keys.get(place) ?? given;
    this.#keys.set(place, known);
    if (known !== given) this.problems.push(`${place} has the keys ${known} and ${given}`);
    for (const [other, its] of this.#keys) {
      if (other !== place && its === given) this.problems.push(`${place} and ${other}: ${given}`);
    }
  }

  #checkAnswer(taskId: string, known: string, answer: string): void {
    const place = `${taskId} ${known}`;
    const before = this.#answers.get(place) ?? answer;
    this.#answers.set(place, before);
    if (before !== answer) this.problems.push(`${place} was answered ${before} and ${answer}`);
    if (!answer.startsWith(`${known}:`)) this.problems.push(`${place} was answered ${answer}`);
  }
}
