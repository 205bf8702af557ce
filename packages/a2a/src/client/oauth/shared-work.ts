interface Running {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Does work once for all callers that ask for it at the same time. A caller that aborts leaves the others
 * waiting; when all callers have aborted, the work is aborted.
 */
export class SharedWork<T> {
  readonly #running = new Map<string, Running>();

  async do(
    key: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    signal?.throwIfAborted();
    const running = this.#running.get(key) ?? this.#start(key, work);
    running.waiting += 1;
    let giveUp: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      giveUp = () => reject(signal?.reason as Error);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
    try {
      return (await Promise.race([running.result, aborted])) as T;
    } finally {
      if (giveUp !== undefined) signal?.removeEventListener("abort", giveUp);
      running.waiting -= 1;
      if (running.waiting === 0) running.controller.abort(signal?.reason);
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Running {
    const controller = new AbortController();
    const forget = (): void => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    const result = work(controller.signal).finally(forget);
    // Waiting callers receive a failure through `do`; without any, the rejection must not count as unhandled.
    result.catch(() => undefined);
    const running: Running = { result, controller, waiting: 0 };
    controller.signal.addEventListener("abort", forget, { once: true });
    this.#running.set(key, running);
    return running;
  }
}
