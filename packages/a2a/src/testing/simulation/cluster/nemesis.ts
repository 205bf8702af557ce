import type { FaultName } from "../engine/faults.js";
import type { World } from "../world/world.js";
import type { BusHub } from "./bus-hub.js";
import type { ClusterNode } from "./cluster-node.js";
import type { Life } from "./life.js";
import type { StoreHub } from "./store-hub.js";

const second = 1_000_000;

/** Faults that strike from outside and last for a while. */
const kinds = [
  "pause",
  "cut",
  "outage",
  "failover",
  "slow",
  "bus-silent",
  "bus-lost",
  "restart",
  "drain",
] as const;

interface Parts {
  readonly world: World;
  readonly nodes: readonly ClusterNode[];
  readonly buses: BusHub;
  readonly stores: StoreHub;
  readonly leaseMs: number;
}

/** Strikes the cluster from outside, now and then, until all is to be calm. */
export class Nemesis {
  readonly #parts: Parts;
  readonly #kinds: readonly (typeof kinds)[number][];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#kinds = kinds.filter((kind) => parts.world.faults.has(kind));
  }

  begin(): void {
    const { world } = this.#parts;
    if (this.#kinds.length === 0) return;
    const waitUs = (1 + world.choices.choose("nemesis/wait", 16)) * (second / 4);
    world.scheduler.after(waitUs, undefined, () => {
      if (world.faults.isCalm) return;
      this.#strike();
      this.begin();
    });
  }

  #strike(): void {
    const { world, nodes, leaseMs } = this.#parts;
    const { choices, scheduler, faults } = world;
    const kind = this.#kinds[choices.choose("nemesis/kind", this.#kinds.length)] ?? "pause";
    const node = nodes[choices.choose("nemesis/node", nodes.length)];
    const life = node?.life;
    // From an eighth of a lease to two leases.
    const lengthMs = (leaseMs / 8) * (1 + choices.choose("nemesis/length", 16));
    const until = scheduler.now + lengthMs * 1000;
    if (node === undefined || life === undefined) return;
    faults.count(kind);
    if (kind === "outage" || kind === "slow" || kind === "failover") {
      this.#strikeAll(kind, lengthMs);
      if (kind === "slow") world.slowUntil = until;
      else world.outageUntil = until;
      if (kind === "failover") this.#failOver();
      return;
    }
    world.nodeFaulted(kind, life, lengthMs);
    if (kind === "pause") life.pausedUntil = until;
    if (kind === "cut") life.cutUntil = until;
    if (kind === "restart") node.stop(true);
    if (kind === "drain") this.#drain(life, lengthMs);
    if (kind === "bus-silent") this.#deafen(life, until, false);
    if (kind === "bus-lost") this.#deafen(life, until, true);
  }

  /** The primary dies, and with it what the standby has not got: up to two seconds of work. */
  #failOver(): void {
    const { world, stores } = this.#parts;
    const lostMs = 1 + 2 ** world.choices.choose("nemesis/lost", 12);
    world.log(`the store fails over and loses ${lostMs} ms`);
    world.failovers += 1;
    void stores.failOver(lostMs);
  }

  #drain(life: Life, lengthMs: number): void {
    const { world, buses, stores } = this.#parts;
    const mark = (isDraining: boolean): void => {
      stores.setDraining(life.nodeId, isDraining);
      buses.announce("drain", life.nodeId);
    };
    mark(true);
    world.scheduler.after(lengthMs * 1000, undefined, () => mark(false));
  }

  #strikeAll(kind: FaultName, lengthMs: number): void {
    for (const { life } of this.#parts.nodes) {
      if (life !== undefined) this.#parts.world.nodeFaulted(kind, life, lengthMs);
    }
  }

  #deafen(life: Life, until: number, isKnown: boolean): void {
    const { world, buses } = this.#parts;
    life.deafUntil = until;
    life.knowsDeafness = isKnown;
    if (!isKnown) return;
    buses.tellLost(life);
    world.scheduler.after(until - world.scheduler.now, undefined, () => buses.tellLost(life));
  }
}
