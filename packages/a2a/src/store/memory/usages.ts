import type { Scope } from "../task-record.js";
import type { Usage } from "../usage-store.js";

/** Whose something is, whatever the tenant. */
type Keeper = Pick<Scope, "subject" | "agent">;

/** What each subject keeps with each agent. */
export class Usages {
  readonly #byAgent: Map<string, Map<string, { tasks: number; bytes: number }>> = new Map();

  /** Adds to what somebody keeps, or subtracts from it. */
  charge({ subject, agent }: Keeper, { tasks, bytes }: Usage): void {
    let bySubject = this.#byAgent.get(agent);
    if (bySubject === undefined) this.#byAgent.set(agent, (bySubject = new Map()));
    let usage = bySubject.get(subject);
    if (usage === undefined) bySubject.set(subject, (usage = { tasks: 0, bytes: 0 }));
    usage.tasks += tasks;
    usage.bytes += bytes;
    if (usage.tasks === 0 && usage.bytes === 0) bySubject.delete(subject);
    if (bySubject.size === 0) this.#byAgent.delete(agent);
  }

  of({ subject, agent }: Keeper): Usage {
    const { tasks = 0, bytes = 0 } = this.#byAgent.get(agent)?.get(subject) ?? {};
    return { tasks, bytes };
  }
}
