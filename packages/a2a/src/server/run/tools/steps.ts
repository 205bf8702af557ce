import { delay, LightSignal, longestPauseMs } from "../../../async/internal.js";
import type { Clock } from "../../../async/internal.js";
import { attribute, errorTypeOf, spanEvent } from "../../../protocol/tracing/internal.js";
import type { JsonValue, Span } from "../../../protocol/internal.js";
import type { StepAttempt, StepOptions } from "../../author/step.js";
import { copyOf } from "./copy-of.js";
import { Counts } from "../../journal/counts.js";
import type { Journal, StepRecord } from "../../journal/journal.js";
import type { RunSpan } from "../spans/run-span.js";
import type { Teller } from "./teller.js";
import type { TaskWriter } from "../writer/task-writer.js";

/** What steps work with. */
interface StepParts {
  readonly journal: Journal;
  readonly writer: TaskWriter;
  readonly teller: Teller;
  /** Aborted when the run is stopped. */
  readonly stop: LightSignal;
  readonly weigh: (event: object) => number;
  readonly report: (problem: unknown) => void;
  /** The last step under way is done. */
  readonly idle: () => void;
  readonly span: RunSpan | undefined;
}

type Work = (attempt: StepAttempt) => unknown;

/** The options of a step, with the defaults in place. */
interface Plan {
  readonly retries: number;
  readonly timeoutMs: number | undefined;
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/** A step on its way. */
interface PlannedStep extends Plan {
  readonly key: string;
  readonly span: Span | undefined;
}

/** The steps of one handler: work that is done once, as far as the log knows. */
export class Steps {
  readonly #parts: StepParts;
  readonly #clock: Clock;
  readonly #counts = new Counts();
  readonly #underWay = new Set<StepPromise<unknown>>();
  /** Failures that nobody had asked for when they happened. */
  readonly #failed: StepPromise<unknown>[] = [];
  /** How many steps of a name are under way, and whether the last of them was begun just now. */
  readonly #overlapping = new Map<string, { count: number; isNow: boolean; isReported: boolean }>();

  constructor(parts: StepParts, clock: Clock) {
    this.#parts = parts;
    this.#clock = clock;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Does a step, or returns its recorded result. A failure that nobody awaits is found by `done`. */
  run<T>(name: string, work: Work, options: StepOptions = {}): Promise<T> {
    const { journal, teller } = this.#parts;
    const plan = planOf(options);
    const nth = this.#counts.next(name);
    const recorded = journal.step(name, nth);
    const step = new StepPromise<T>((resolve, reject) => {
      const result =
        recorded === undefined ? this.#perform(name, nth, work, plan) : valueOf(recorded);
      result.then((value) => resolve(value as T), reject);
    });
    if (recorded !== undefined) {
      const { sequence } = recorded;
      teller.call(sequence);
      step.asked = () => teller.reach(sequence);
    }
    this.#begin(name);
    this.#underWay.add(step);
    step.observe((isFailed, error) => {
      this.#underWay.delete(step);
      this.#leave(name);
      if (isFailed && !step.isAwaited) {
        step.error = error;
        this.#failed.push(step);
      }
      if (this.isIdle) this.#parts.idle();
    });
    return step;
  }

  /** Waits for all steps under way. Rejects with the failure of a step that nobody awaited. */
  async done(): Promise<void> {
    while (!this.isIdle) await Promise.allSettled([...this.#underWay].map((step) => step.settled));
    const unnoticed = this.#failed.find(({ isAwaited }) => !isAwaited);
    if (unnoticed !== undefined) throw unnoticed.error;
  }

  async #perform(name: string, nth: number, work: Work, plan: Plan): Promise<unknown> {
    const { journal, writer, teller, weigh } = this.#parts;
    // Steps that were called for together with this one may be recorded: the handler awaits them first.
    if (teller.isRepeating) await Promise.resolve();
    await teller.live();
    await writer.ready();
    const key = [writer.identity.taskId, journal.run, name, nth].join(":");
    const span = this.#parts.span?.startStep(name);
    const value = await (span === undefined
      ? this.#attempt(name, work, { ...plan, key, span })
      : traceStep(span, () => this.#attempt(name, work, { ...plan, key, span })));
    const result = value === undefined ? undefined : (copyOf(value) as JsonValue);
    const event = {
      kind: "step-recorded",
      name,
      nth,
      ...(result !== undefined && { result }),
    } as const;
    const bytes = weigh(event);
    await writer.write(() => ({ events: [event], bytes }));
    return result === undefined ? undefined : copyOf(result);
  }

  async #attempt(
    name: string,
    work: Work,
    { retries, timeoutMs, firstMs, factor, maxMs, key, span }: PlannedStep,
  ): Promise<unknown> {
    const { stop } = this.#parts;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(name, work, { attempt, key, timeoutMs });
      } catch (error) {
        if (attempt > retries || stop.aborted) throw error;
        span?.event(spanEvent.retry, { [attribute.errorType]: errorTypeOf(error) });
        const pauseMs = Math.min(firstMs * factor ** (attempt - 1), maxMs, longestPauseMs);
        await delay(this.#clock, pauseMs, stop.toAbortSignal());
      }
    }
  }

  async #once(
    name: string,
    work: Work,
    { attempt, key, timeoutMs }: { attempt: number; key: string; timeoutMs: number | undefined },
  ): Promise<unknown> {
    const { stop } = this.#parts;
    const signal = new LightSignal();
    const abort = (): void => signal.abort(stop.toAbortSignal().reason);
    const unfollow = stop.onAbort(abort);
    if (stop.aborted) abort();
    const given: StepAttempt = {
      attempt,
      key,
      get signal() {
        return signal.toAbortSignal();
      },
    };
    let cancelTimer = (): void => undefined;
    try {
      const result = Promise.resolve(work(given));
      if (timeoutMs === undefined) return await result;
      const late = new Promise<never>((_, reject) => {
        cancelTimer = this.#clock.after(Math.min(timeoutMs, longestPauseMs), () => {
          const error = new Error(`step "${name}" took longer than ${timeoutMs} ms`);
          signal.abort(error);
          reject(error);
        });
      });
      return await Promise.race([result, late]);
    } finally {
      cancelTimer();
      unfollow();
    }
  }

  /** Reports a step that is begun while another of its name is under way: in a repeat they may change places. */
  #begin(name: string): void {
    const known = this.#overlapping.get(name);
    if (known === undefined) {
      this.#overlapping.set(name, { count: 1, isNow: true, isReported: false });
    } else {
      if (known.count > 0 && !known.isNow && !known.isReported) {
        known.isReported = true;
        this.#parts.report(overlaps(name));
      }
      known.count += 1;
      known.isNow = true;
    }
    queueMicrotask(() => {
      const entry = this.#overlapping.get(name);
      if (entry !== undefined) entry.isNow = false;
    });
  }

  #leave(name: string): void {
    const known = this.#overlapping.get(name);
    if (known !== undefined) known.count -= 1;
  }
}

/**
 * The promise of a step. It notes whether anybody asked for its result, and its failure never counts as an
 * unhandled rejection: a step that nobody awaits must not end the process.
 */
class StepPromise<T> extends Promise<T> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  isAwaited = false;
  /** Called when somebody asks for the result for the first time. Nobody gets it before this resolves. */
  asked: (() => Promise<unknown>) | undefined;
  #ready: Promise<unknown> | undefined;
  error: unknown;
  /** Resolves when the step is done, whatever became of it. */
  settled: Promise<void> = Promise.resolve();

  /** Lets somebody know when the step is done, which does not count as asking. */
  observe(settle: (isFailed: boolean, error?: unknown) => void): void {
    this.settled = super.then(
      () => settle(false),
      (error: unknown) => settle(true, error),
    );
  }

  // oxlint-disable-next-line unicorn/no-thenable -- `await` calls this, which is how the step learns of it
  override then<A = T, B = never>(
    onResolve?: ((value: T) => A | PromiseLike<A>) | null,
    onReject?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true;
    this.#ready ??= this.asked?.();
    if (this.#ready === undefined) return super.then(onResolve, onReject);
    return this.#ready.then(() => super.then(onResolve, onReject));
  }
}

function planOf({ retries, timeoutMs, backoff = {} }: StepOptions): Plan {
  const { firstMs, factor, maxMs } = backoff;
  return {
    retries: retries ?? 0,
    timeoutMs,
    firstMs: firstMs ?? 1000,
    factor: factor ?? 2,
    maxMs: maxMs ?? 60_000,
  };
}

/** Does the work of a step within its span. */
async function traceStep(span: Span, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await span.within(work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

async function valueOf({ result }: StepRecord): Promise<unknown> {
  return result === undefined ? undefined : copyOf(result);
}

function overlaps(name: string): Error {
  return new Error(
    `a step "${name}" was begun while another step "${name}" was under way; if the handler is begun again, each may ` +
      `get the other's result: put what tells them apart into the name, such as step(\`${name} \${id}\`, ...)`,
  );
}
