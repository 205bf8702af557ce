interface Running {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Work that several ask for at once and that is done once, for all of them. Who gives up leaves the
 * others waiting; when all have, the work is aborted.
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
    // Whoever waits hears of a failure; when nobody does any more, it is nobody's.
    result.catch(() => undefined);
    const running: Running = { result, controller, waiting: 0 };
    controller.signal.addEventListener("abort", forget, { once: true });
    this.#running.set(key, running);
    return running;
  }
}
