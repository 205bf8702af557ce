import type { GrpcPlan } from "../load/grpc.js";
import type { HttpPlan, Load } from "../load/main.js";
import type { Waits } from "../load/probe.js";
import { Remote } from "../processes/remote.js";
import type { Subject } from "./subject.js";

/** How near the load generator came to being the limit itself, over loads that are as fast as the server. */
export interface Strain {
  /** The largest share of a core that it used. */
  readonly share: number;
  /** The most answers a second that it took. */
  readonly perSecond: number;
}

/** The load generator's process. */
export class Generator implements AsyncDisposable {
  readonly #remote: Remote = new Remote(new URL("../load/main.js", import.meta.url));
  #strain: Strain = { share: 0, perSecond: 0 };

  /** Returns how strained it was since it was last asked. */
  takeStrain(): Strain {
    const strain = this.#strain;
    this.#strain = { share: 0, perSecond: 0 };
    return strain;
  }

  /** Sends a load of which the generator is the limit. */
  unnoted({ port }: Subject, plan: Omit<HttpPlan, "port">): Promise<Load> {
    return this.#remote.call("http", { port, ...plan });
  }

  async http(subject: Subject, plan: Omit<HttpPlan, "port">): Promise<Load> {
    const load = await this.unnoted(subject, plan);
    if (plan.shape !== "spread") this.#note(load);
    return load;
  }

  async grpc({ port }: Subject, plan: Omit<GrpcPlan, "port">): Promise<Load> {
    const load = await this.#remote.call<Load>("grpc", { port, ...plan });
    this.#note(load);
    return load;
  }

  /** Returns the whole answer to a request. */
  read({ port }: Subject, request: string): Promise<string> {
    return this.#remote.call("read", { port, request });
  }

  /** Opens streams and waits until each has begun. */
  openStreams({ port }: Subject, count: number, request: string): Promise<void> {
    return this.#remote.call("openStreams", { port, count, request });
  }

  /** Waits until some work has brought every open stream more bytes. */
  async untilAllHear({ port }: Subject, work: () => Promise<unknown>): Promise<void> {
    const since = await this.#remote.call<readonly number[]>("mark", { port });
    await work();
    await this.#remote.call("more", { port, bytes: 1, since });
  }

  /** Waits for the ends of all streams. Returns how many came within a time. */
  ended({ port }: Subject, withinMs: number): Promise<number> {
    return this.#remote.call("ended", { port, withinMs });
  }

  closeStreams({ port }: Subject): Promise<void> {
    return this.#remote.call("closeStreams", { port });
  }

  /** Opens a stream of which nobody reads more than the beginning, and returns that. */
  stall({ port }: Subject, request: string): Promise<string> {
    return this.#remote.call("stall", { port, request });
  }

  unstall({ port }: Subject): Promise<void> {
    return this.#remote.call("unstall", { port });
  }

  /** Returns how long a caller waits for small answers during some work. */
  async waitsDuring(
    { port }: Subject,
    request: string,
    work: () => Promise<unknown>,
  ): Promise<Waits> {
    await this.#remote.call("startProbe", { port, request });
    await work();
    return this.#remote.call("stopProbe", { port });
  }

  forget({ port }: Subject): Promise<void> {
    return this.#remote.call("forget", { port });
  }

  #note({ ownShare, perSecond }: Load): void {
    this.#strain = {
      share: Math.max(this.#strain.share, ownShare),
      perSecond: Math.max(this.#strain.perSecond, perSecond),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#remote[Symbol.asyncDispose]();
  }
}
