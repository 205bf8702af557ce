/**
 * Tells a handler to stop. The signal is made when one asks for it: nothing else in a short run takes as
 * long to make and to collect.
 */
export class StopSignal {
  #controller: AbortController | undefined;
  #stop: { readonly reason: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stop !== undefined) this.#controller.abort(this.#stop.reason);
    }
    return this.#controller.signal;
  }

  /** Resolves when it is time to stop. */
  get stopped(): Promise<void> {
    if (this.#stop !== undefined) return Promise.resolve();
    const { signal } = this;
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** Only the first reason counts. */
  abort(reason: unknown): void {
    this.#stop ??= { reason };
    this.#controller?.abort(reason);
  }

  throwIfAborted(): void {
    if (this.#stop !== undefined) throw this.#stop.reason;
  }
}
