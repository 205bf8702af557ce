import type { Owner } from "../engine/scheduler.js";
import type { World } from "../world/world.js";
import type { Network } from "./network.js";
import { settleCall } from "./settle-call.js";

/** Nodes have started by then: a light job does not try again. In microseconds. */
const startUs = 1_000_000;

/** A caller that sends one message and waits for the answer: the least that a task costs. */
export class LightJob implements Owner {
  readonly name: string;
  readonly isGone = false;
  readonly pausedUntil = 0;
  /** What the job waits for, in words for those who wonder why it does not end. */
  waitsFor = "its turn";
  isDone = false;
  readonly #world: World;
  readonly #network: Network;
  readonly #number: number;

  constructor(world: World, network: Network, number: number) {
    this.#world = world;
    this.#network = network;
    this.#number = number;
    this.name = `c${number}`;
  }

  /** Begins after a while; `isDone` when it is over. */
  begin(spreadMs: number): void {
    const { scheduler, choices } = this.#world;
    const afterUs = (choices.choose(`${this.name}/begin`, 4096) * spreadMs * 1000) / 4096;
    scheduler.after(startUs + afterUs, this, () => void this.#live());
  }

  async #live(): Promise<void> {
    const messageId = `m-${this.name}-1`;
    const call = this.#world.recorder.call({ operation: "send", messageId });
    this.waitsFor = "its answer";
    const message = { messageId, role: "ROLE_USER", parts: [{ text: "plan c1" }] } as const;
    const reply = await this.#network.call(this, `${this.name}/send`, (runtime, signal) =>
      runtime.sendMessage(
        { message },
        { version: "1.0", signal, principal: { subject: `user${this.#number % 3}` } },
      ),
    );
    settleCall(this.#world, call, reply);
    if (reply.outcome === "answered") call.taskId = reply.value.task?.id ?? "";
    else this.#world.problem(`${this.name} got no answer: ${reply.error}`);
    this.isDone = true;
  }
}
