import { atTurnsEnd } from "../../async/internal.js";

interface Waiting<Request, Result> {
  readonly request: Request;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** How many batches of one kind are under way at most. Those that wait for one are the next batch together. */
const maxUnderWay = 2;

/**
 * Lets requests of one turn of the event loop share a statement, and those that arrive while enough statements are under
 * way, too.
 */
export class Batcher<Request, Result> {
  readonly #run: (requests: readonly Request[]) => Promise<readonly Result[]>;
  readonly #maxRequests: number;
  #waiting: Waiting<Request, Result>[] = [];
  #underWay = 0;
  #isScheduled = false;

  /** `run` resolves with a result for each request, in their order. */
  constructor(
    run: (requests: readonly Request[]) => Promise<readonly Result[]>,
    maxRequests: number = 500,
  ) {
    this.#run = run;
    this.#maxRequests = maxRequests;
  }

  add(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#underWay >= maxUnderWay) return;
    this.#isScheduled = true;
    atTurnsEnd(() => {
      this.#isScheduled = false;
      const batch = this.#waiting.splice(0, this.#maxRequests);
      void this.#send(batch);
      this.#schedule();
    });
  }

  async #send(batch: readonly Waiting<Request, Result>[]): Promise<void> {
    this.#underWay += 1;
    try {
      const results = await this.#run(batch.map(({ request }) => request));
      for (const [index, one] of batch.entries()) one.resolve(results[index] as Result);
    } catch (error) {
      for (const one of batch) one.reject(error);
    } finally {
      this.#underWay -= 1;
      this.#schedule();
    }
  }
}
