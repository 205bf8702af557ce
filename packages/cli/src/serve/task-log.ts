import { isCanceled } from "@parley/a2a";
import type { Agent, Outcome, RunContext } from "@parley/a2a";
import type { createLog } from "@parley/a2a/node";
import type { Agents } from "./module/choose-agents.js";

/** How agents tell an operator of their runs. */
export interface TaskLog {
  readonly log: ReturnType<typeof createLog>;
  readonly now?: () => number;
}

/** The same agents, which tell of each run when it ends: the agent, the task, what became of it, and how long it took. */
export function withTaskLog(agents: Agents, log: TaskLog): Agents {
  if (isAgent(agents)) return logged(agents, log);
  const entries = Object.entries(agents).map(([path, one]) => [
    path,
    "agent" in one ? { ...one, agent: logged(one.agent, log) } : logged(one, log),
  ]);
  return Object.fromEntries(entries) as Agents;
}

/** Whether these are one agent, and not several by their paths. */
export function isAgent(agents: Agents): agents is Agent {
  return typeof agents["run"] === "function";
}

function logged(agent: Agent, log: TaskLog): Agent {
  const { now = Date.now } = log;
  const { name } = agent;
  return {
    ...agent,
    card: (interfaces) => agent.card(interfaces),
    async *run(context) {
      const begunAt = now();
      let hasTask = false;
      let end = "left";
      try {
        const result = agent.run(context);
        if (!isGenerator(result)) {
          const outcome = await result;
          end = endOf(outcome, hasTask);
          return outcome;
        }
        try {
          for (;;) {
            const next = await result.next();
            if (next.done === true) {
              end = endOf(next.value, hasTask);
              return next.value;
            }
            yield next.value;
            hasTask = true;
          }
        } finally {
          // Runs the `finally` of a handler that is left early.
          if (end === "left") await result.return(undefined);
        }
      } catch (error) {
        end = badEndOf(error);
        throw error;
      } finally {
        const seconds = Math.round((now() - begunAt) / 10) / 100;
        const { taskId } = context;
        const outcome = stoppedBy(context) ?? end;
        const msg = `${name} ${outcome} after ${seconds} s`;
        log.log("info", "run.ended", { msg, agent: name, taskId, outcome, seconds });
      }
    },
  };
}

function endOf(outcome: Outcome, hasTask: boolean): string {
  if (typeof outcome === "object" && "inputRequired" in outcome) return "input-required";
  const isReply = outcome !== undefined && !hasTask;
  return isReply && !(typeof outcome === "object" && "completed" in outcome)
    ? "replied"
    : "completed";
}

/** `fail` and `reject` throw an error that knows the state; anything else is a failure that the operator reads elsewhere. */
function badEndOf(error: unknown): string {
  const state = error instanceof Error && "state" in error ? String(error.state) : "";
  return state === "TASK_STATE_REJECTED" ? "rejected" : "failed";
}

/** Why a run was stopped from outside, if it was. */
function stoppedBy({ signal }: RunContext): string | undefined {
  if (!signal.aborted) return undefined;
  if (isCanceled(signal.reason)) return "canceled";
  return `left (${signal.reason instanceof Error ? signal.reason.message : String(signal.reason)})`;
}

function isGenerator(
  value: unknown,
): value is Exclude<ReturnType<Agent["run"]>, Outcome | Promise<Outcome>> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
