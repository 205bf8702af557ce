import { delay } from "../../../async/internal.js";
import { agent, textOf } from "../../../server/internal.js";
import type { Agent, Outcome, Output, RunContext } from "../../../server/internal.js";
import type { Life } from "../cluster/life.js";
import type { World } from "../world/world.js";
import { parsePlan } from "./plan.js";
import type { Witness } from "./witness.js";

interface WorkerParts {
  readonly world: World;
  readonly witness: Witness;
  readonly isDurable: boolean;
  /** Awaits no messages. */
  readonly isHasty: boolean;
}

/** Longer than a lease, in milliseconds. */
const longMs = 6000;
/** Longer than the grace of a cancel. */
const deafMs = 2500;

/** The agent of a simulation, as a node runs it in one of its lives. A later revision tells and does more. */
export function createWorker(parts: WorkerParts, life: Life, revision: number): Agent {
  return agent({
    name: "worker",
    description: "does what a plan says",
    version: `${revision}`,
    durable: parts.isDurable,
    capabilities: { pushNotifications: true },
    run: (context) => new Work(parts, life, { context, revision }).run(),
  });
}

/** One activation of the handler. */
class Work {
  readonly #parts: WorkerParts;
  readonly #life: Life;
  readonly #context: RunContext;
  readonly #revision: number;
  /** Names this activation: what two of them tell differs. */
  readonly #generation: string;
  readonly #run: string;

  constructor(
    parts: WorkerParts,
    life: Life,
    { context, revision }: { readonly context: RunContext; readonly revision: number },
  ) {
    this.#parts = parts;
    this.#life = life;
    this.#context = context;
    this.#revision = revision;
    this.#run = context.message.messageId;
    this.#generation = `${life.name}-${life.newId().slice(0, 6)}`;
  }

  run(): Outcome | AsyncGenerator<Output, Outcome, void> {
    const plan = parsePlan(this.#context.text);
    if (plan[0] === "r") return `reply ${this.#run}`;
    return this.#follow(plan);
  }

  async *#follow(plan: readonly string[]): AsyncGenerator<Output, Outcome, void> {
    for (const [place, task] of plan.entries()) yield* this.#do(place, task);
    if (this.#revision > 1) yield { status: `by revision ${this.#revision}` };
  }

  async *#do(place: number, task: string): AsyncGenerator<Output, void, void> {
    const context = this.#context;
    const { witness } = this.#parts;
    const count = Number(task.slice(1) || 1);
    const about = { taskId: context.taskId, run: this.#run, place };
    switch (task.slice(0, 1)) {
      case "c":
        yield* this.#chunks(place, count);
        break;
      case "w":
        yield { status: `at ${place}` };
        break;
      case "s":
        await this.#step(place);
        break;
      case "a":
      case "q": {
        const question = `${this.#run} q${place}`;
        const isAuthorization = task.startsWith("a");
        const answer = await (isAuthorization
          ? context.authRequired(question)
          : context.ask(question));
        if (!this.#life.isGone)
          witness.answered(about, { id: answer.messageId, text: textOf(answer) });
        break;
      }
      case "t": {
        const source = (): AsyncGenerator<Output, void, void> => this.#chunks(place, count);
        const text = yield* context.stream(`t${place}`, source);
        if (!this.#life.isGone) witness.told(about, text);
        break;
      }
      case "n": {
        if (this.#parts.isHasty) break;
        const { messageId } = await context.nextMessage();
        if (!this.#life.isGone) witness.heard(about, messageId);
        break;
      }
      case "l":
        await this.#sleep(longMs);
        break;
      case "d":
        await delay(this.#life.clock, deafMs);
        // Several deaf waits would outlast what is checked of a node that has stopped.
        context.signal.throwIfAborted();
        break;
      case "x":
        context.fail("as planned");
        break;
      default:
        break;
    }
  }

  async *#chunks(place: number, count: number): AsyncGenerator<Output, void, void> {
    for (let index = 0; index < count; index += 1) {
      yield `<${this.#run} ${place}.${index}/${count} ${this.#generation}>`;
      await this.#sleep(this.#drawMs(300));
    }
  }

  async #step(place: number): Promise<void> {
    const { recorder } = this.#parts.world;
    const { taskId } = this.#context;
    const step = `s${place} of ${this.#run}`;
    const node = this.#life.name;
    const result = await this.#context.step(step, async () => {
      await this.#sleep(this.#drawMs(500));
      const made = this.#life.newId();
      if (!this.#life.isGone) {
        recorder.effect({ kind: "done", taskId, step, result: JSON.stringify(made), node });
      }
      return made;
    });
    if (this.#life.isGone) return;
    recorder.effect({ kind: "returned", taskId, step, result: JSON.stringify(result), node });
  }

  #drawMs(most: number): number {
    return (most / 8) * this.#parts.world.choices.choose(`${this.#run}/work`, 8);
  }

  #sleep(ms: number): Promise<void> {
    return delay(this.#life.clock, ms, this.#context.signal);
  }
}
