import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./connection.js";
import { Letter } from "./request.js";

/** How long callers wait meanwhile, in milliseconds. */
export interface Waits {
  readonly longest: number;
  readonly median: number;
}

/** A caller that asks something small every few milliseconds. */
export class Probe {
  readonly #connection: Connection;
  readonly #waits: number[] = [];
  #isOver = false;
  #asking: Promise<void> = Promise.resolve();

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async start(port: number, request: string): Promise<Probe> {
    const probe = new Probe(await Connection.open(port));
    probe.#asking = probe.#ask(new Letter(request));
    return probe;
  }

  async #ask(letter: Letter): Promise<void> {
    while (!this.#isOver) {
      const start = performance.now();
      await this.#connection.exchange(letter.next());
      this.#waits.push(performance.now() - start);
      await sleep(2);
    }
  }

  async stop(): Promise<Waits> {
    this.#isOver = true;
    await this.#asking;
    this.#connection.close();
    const sorted = this.#waits.toSorted((a, b) => a - b);
    return {
      longest: sorted.at(-1) ?? Number.NaN,
      median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    };
  }
}
