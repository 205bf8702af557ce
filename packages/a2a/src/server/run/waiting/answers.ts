import type { LightSignal } from "../../../async/internal.js";
import { isInterrupted, isTerminal } from "../../../protocol/internal.js";
import type { JsonValue } from "../../../protocol/internal.js";
import type { LogEvent } from "../../../store/internal.js";
import type { Agent } from "../../author/agent.js";
import type { LiveTask } from "../../log/live-task.js";
import { LogWentBack } from "../../log/log-went-back.js";
import type { RunEnvironment } from "../../run-environment.js";
import type { Activation } from "../activation.js";
import { endedMeanwhile, stopping } from "../leave-reasons.js";
import { Suspended } from "./suspended.js";

interface AnswersParts {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  /** Aborted when this node stops. */
  readonly stop: LightSignal;
  /** The task of a handler that waits has gone on: `remove` it, and let it go on. */
  readonly takeUp: (activation: Activation) => void;
}

/** Brings answers to the handlers that wait for them on this node, and ends the waits that are in vain. */
export class Answers {
  readonly #parts: AnswersParts;
  readonly #suspended: Suspended;

  constructor(parts: AnswersParts) {
    const { environment, agent } = parts;
    this.#parts = parts;
    this.#suspended = new Suspended({
      environment,
      agent,
      woken: (one) => void this.#look(one),
    });
  }

  /** How many handlers wait, and how many bytes of messages and results with them. */
  get figures(): Suspended["figures"] {
    return this.#suspended.figures;
  }

  /** True when a handler of this task, under its current epoch, works or waits on this node. */
  isHere(live: LiveTask): boolean {
    const { epoch } = live.replica;
    return (
      live.holder?.epoch === epoch ||
      this.#suspended.find(live.identity.taskId, epoch) !== undefined
    );
  }

  /**
   * What records that a handler on this node takes up an answer, as part of the answer's append; `undefined` when no
   * handler waits here. Call `answered` when the append is done, whatever became of it.
   */
  takesUp(live: LiveTask, credentials: JsonValue | undefined): LogEvent | undefined {
    const { taskId } = live.identity;
    const { epoch } = live.replica;
    if (this.#isStopping) return undefined;
    const here = live.holder?.epoch === epoch ? live.holder : this.#suspended.find(taskId, epoch);
    const resumed = here?.takesUp(credentials);
    if (resumed !== undefined) this.#suspended.pin(taskId);
    return resumed;
  }

  /** Lets a handler go on whose answer is in the log now, or wait on if the answer could not be written. */
  answered(live: LiveTask, isWritten: boolean): void {
    const { taskId } = live.identity;
    const activation = this.#suspended.find(taskId, live.replica.epoch);
    if (isWritten && activation !== undefined) this.#parts.takeUp(activation);
    this.#suspended.unpin(taskId);
    if (this.#isStopping) void this.#suspended.clear();
  }

  /** Looks whether a handler that waits for this task has its answer. False when none waits. */
  wake(taskId: string): boolean {
    return this.#suspended.wake(taskId);
  }

  /** A handler waits from now on. */
  add(activation: Activation): void {
    if (this.#isStopping) activation.leave(stopping());
    else this.#suspended.add(activation);
  }

  /** Ends the wait of a handler. False when it does not wait, or another handler does in its place. */
  remove(activation: Activation): boolean {
    return this.#suspended.remove(activation);
  }

  /** Drops the handlers that wait. Resolves when the answers that are being written are in the log. */
  clear(): Promise<void> {
    return this.#suspended.clear();
  }

  get #isStopping(): boolean {
    return this.#parts.stop.aborted;
  }

  /** Looks at the task of a waiting handler, which has changed: the handler goes on, waits on, or is over. */
  async #look(activation: Activation): Promise<void> {
    const { store, report } = this.#parts.environment;
    const { taskId, publicId } = activation.identity;
    const { lastSequence } = activation;
    try {
      const record = await store.loadRecord(taskId);
      if (record === undefined || isTerminal(record.state)) {
        if (this.#suspended.remove(activation)) activation.ended(endedMeanwhile(record?.state));
        return;
      }
      if (record.sequence < lastSequence) return this.#forsake(activation);
      const isKnown = record.sequence === lastSequence || isInterrupted(record.state);
      if (isKnown && record.epoch === activation.epoch) return;
      this.#parts.takeUp(activation);
    } catch (error) {
      // The next wake-up, or the next beat of this node, looks again.
      report(error, publicId);
    }
  }

  /** The store has lost what a waiting handler has written: the handler is dropped, and recovery looks at its task. */
  #forsake(activation: Activation): void {
    const { orphans, report } = this.#parts.environment;
    const { identity } = activation;
    const reason = new LogWentBack(identity.publicId);
    if (!this.#suspended.remove(activation)) return;
    activation.leave(reason);
    orphans.add(identity.taskId);
    report(reason, identity.publicId);
  }
}
