import { Remote } from "../processes/remote.js";
import type { Usage } from "../processes/usage.js";
import type { SubjectOptions } from "../subjects/subject.js";

/** A server or a client under measurement, in a process of its own. */
export class Subject implements AsyncDisposable {
  readonly port: number;
  readonly openedAt: number = performance.now();
  readonly #remote: Remote;

  private constructor(remote: Remote, port: number) {
    this.#remote = remote;
    this.port = port;
  }

  static async open(kind: string, options: SubjectOptions = {}): Promise<Subject> {
    const script = new URL("../subjects/main.js", import.meta.url);
    const remote = new Remote(script, [kind, JSON.stringify(options)]);
    return new Subject(remote, await remote.call<number>("port"));
  }

  usage(): Promise<Usage> {
    return this.#remote.call("usage");
  }

  /** The heap in use after a collection. */
  heap(): Promise<number> {
    return this.#remote.call("heap");
  }

  /** Makes the subject do something. */
  tell<Value>(what: string, options?: object): Promise<Value> {
    return this.#remote.call(what, options);
  }

  /** Returns how much processor time the subject uses for some work, in microseconds. */
  async cpuFor(work: () => Promise<unknown>): Promise<number> {
    const before = await this.usage();
    await work();
    return (await this.usage()).cpuMicros - before.cpuMicros;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#remote[Symbol.asyncDispose]();
  }
}
