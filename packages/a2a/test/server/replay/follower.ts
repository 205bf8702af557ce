import type { CallContext, Part, StreamEvent } from "../../../src/protocol/internal.js";
import type { Runtime } from "../../../src/server/index.js";
import { textIn } from "./records.js";

/** Somebody who watches a task, through whichever node, and puts together what it is told. */
export class Follower {
  readonly taskId: string;
  readonly #artifacts = new Map<string, Part[]>();
  #state: string | undefined;
  #last: number | undefined;
  #leave = new AbortController();

  constructor(taskId: string) {
    this.taskId = taskId;
  }

  get state(): string | undefined {
    return this.#state;
  }

  get texts(): Map<string, string> {
    return new Map(Array.from(this.#artifacts, ([id, parts]) => [id, textIn(parts)]));
  }

  /** Watches through a node from where it was. A watcher without a memory begins with the whole task. */
  follow(service: Runtime, remembers: boolean): void {
    this.#leave.abort();
    const leave = new AbortController();
    this.#leave = leave;
    const resumed = remembers && this.#last !== undefined ? { resumeAfter: this.#last } : {};
    const call: CallContext = { version: "1.0", signal: leave.signal, ...resumed };
    void this.#watch(service, call, leave).catch(() => undefined);
  }

  leave(): void {
    this.#leave.abort();
  }

  async #watch(service: Runtime, call: CallContext, own: AbortController): Promise<void> {
    let isRefused = true;
    try {
      for await (const event of service.subscribeToTask({ id: this.taskId }, call)) {
        isRefused = false;
        if (own.signal.aborted) return;
        this.#take(event);
      }
    } catch (error) {
      if (!isRefused || own.signal.aborted) throw error;
      // The task had ended before. The answer has no place in the log from which to go on.
      const task = await service.getTask({ id: this.taskId }, call);
      if (own.signal.aborted) return;
      this.#last = undefined;
      this.#take({ response: { task } });
    }
  }

  #take({ response, sequence }: StreamEvent): void {
    if (sequence !== undefined) this.#last = sequence;
    const { task, statusUpdate, artifactUpdate } = response;
    if (task !== undefined) {
      this.#artifacts.clear();
      for (const { artifactId, parts } of task.artifacts ?? []) {
        this.#artifacts.set(artifactId, [...parts]);
      }
      this.#state = task.status.state;
    }
    if (statusUpdate !== undefined) this.#state = statusUpdate.status.state;
    if (artifactUpdate !== undefined) {
      const { artifact, append } = artifactUpdate;
      const before = append === true ? (this.#artifacts.get(artifact.artifactId) ?? []) : [];
      this.#artifacts.set(artifact.artifactId, [...before, ...artifact.parts]);
    }
  }
}
