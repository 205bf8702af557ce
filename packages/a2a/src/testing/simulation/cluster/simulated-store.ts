import { neverSettles } from "../../../async/internal.js";
import type { Store } from "../../../store/internal.js";
import type { FaultName } from "../engine/faults.js";
import type { World } from "../world/world.js";
import type { Life } from "./life.js";
import type { StoreHub } from "./store-hub.js";

/** How long a request that does not get through is waited for, in microseconds. */
const patience = 1_500_000;

/**
 * The store as one node sees it: a request takes time to get there and its answer to come back, and either may be lost.
 * The work itself is done in a step that is nobody's; the answer comes in a step of the node.
 */
export function openSimulatedStore(world: World, hub: StoreHub, life: Life): Store {
  const request = (method: string, args: readonly unknown[]): Promise<unknown> =>
    new Request(world, hub, { life, method, args }).send();
  const members = new Map<PropertyKey, unknown>([
    ["description", "simulated"],
    ["isShared", true],
    ["close", async () => undefined],
    [Symbol.asyncDispose, async () => undefined],
    // Some stores can tell it, and some cannot.
    ...(world.choices.chance("store/foreignVersion", 2)
      ? []
      : [["foreignVersion", undefined] as const]),
  ]);
  return new Proxy(hub.store, {
    get(_, name) {
      if (!members.has(name)) {
        members.set(name, (...args: unknown[]) => request(String(name), args));
      }
      return members.get(name);
    },
  });
}

interface Asked {
  readonly life: Life;
  readonly method: string;
  readonly args: readonly unknown[];
}

class Request {
  readonly #world: World;
  readonly #hub: StoreHub;
  readonly #life: Life;
  readonly #method: string;
  readonly #args: readonly unknown[];
  readonly #key: string;

  constructor(world: World, hub: StoreHub, { life, method, args }: Asked) {
    this.#world = world;
    this.#hub = hub;
    this.#life = life;
    this.#method = method;
    this.#key = `${life.slot}/${method}`;
    this.#args = world.faults.has("copy") ? copy(args) : args;
  }

  send(): Promise<unknown> {
    const world = this.#world;
    const life = this.#life;
    if (!life.passes(this.#method)) return neverSettles();
    world.log(`${life.name} ${this.#method} ${JSON.stringify(this.#args)}`);
    const sent = new Promise((resolve, reject) => this.#travel(resolve, reject));
    // The request is on its way. The node may be gone before it does anything else.
    if (!life.passes(`${this.#method}/sent`)) return neverSettles();
    return sent;
  }

  #travel(resolve: (result: unknown) => void, reject: (error: unknown) => void): void {
    const { scheduler, faults, choices } = this.#world;
    const key = this.#key;
    const fail = (afterUs: number): void => {
      scheduler.after(afterUs, this.#life, () => {
        this.#world.log(`${this.#life.name} ${this.#method} fails`);
        this.#life.failures += 1;
        reject(this.#world.silence);
      });
    };
    const there = this.#way(`${key}/there`);
    if (this.#isCutOff) return fail(patience);
    if (faults.hits("refused", key)) {
      this.#struck("refused");
      return fail(there);
    }
    if (faults.hits("late", key)) {
      this.#struck("late");
      const told = there * 2 + choices.choose(`${key}/told`, 4) * 100_000;
      fail(told);
      scheduler.after(told + choices.choose(`${key}/behind`, 8) * 200_000, undefined, () => {
        this.#work().catch(() => undefined);
        this.#life.failures += 1;
      });
      return;
    }
    const answer = (tell: () => void): void => {
      const back = this.#way(`${key}/back`);
      const isLost = faults.hits("lost", key);
      if (isLost) this.#struck("lost");
      if (isLost || this.#isCutOff) return fail(isLost ? back * 4 : patience);
      scheduler.after(back, this.#life, tell);
    };
    scheduler.after(there, undefined, () => {
      if (this.#isCutOff) return fail(patience);
      this.#work().then(
        (result) => answer(() => resolve(result)),
        (error: unknown) => answer(() => reject(error)),
      );
    });
  }

  async #work(): Promise<unknown> {
    const world = this.#world;
    world.statements += 1;
    if (this.#method === "foreignVersion") return this.#hub.foreignVersion(this.#life);
    const result = await this.#hub.work(this.#method, this.#args, (taskId) =>
      world.met("delete", taskId),
    );
    world.log(`store did ${this.#method} of ${this.#life.name}`);
    const problem = this.#hub.note({
      life: this.#life,
      method: this.#method,
      args: this.#args,
      result,
    });
    if (problem !== undefined) world.problem(problem);
    return world.faults.has("copy") ? copy(result) : result;
  }

  get #isCutOff(): boolean {
    const { now } = this.#world.scheduler;
    return now < Math.max(this.#life.cutUntil, this.#world.outageUntil);
  }

  #way(key: string): number {
    const { scheduler, slowUntil } = this.#world;
    const usual = this.#world.latency(key);
    return scheduler.now < slowUntil ? usual * 200 : usual;
  }

  #struck(fault: FaultName): void {
    const [first] = this.#args;
    const about = typeof first === "object" ? (first as { taskId?: string }).taskId : undefined;
    this.#world.taskFaulted(fault, typeof first === "string" ? first : about);
  }
}

/** As it comes out of JSON, without what JSON does not carry. */
function copy<T>(value: T): T {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value, keepMaps), revive) as T;
}

function keepMaps(_: string, value: unknown): unknown {
  return value instanceof Map ? { map: Array.from(value) } : value;
}

function revive(_: string, value: unknown): unknown {
  const isMap = typeof value === "object" && value !== null && "map" in value;
  return isMap && Array.isArray(value.map) ? new Map(value.map as [unknown, unknown][]) : value;
}
