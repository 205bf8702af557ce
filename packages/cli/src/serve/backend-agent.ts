import { agent } from "@parley/a2a";
import type { Agent, AgentDefinition, Outcome, Output, RunContext } from "@parley/a2a";

/** What becomes of one message that is passed on to a program, a service or a model. */
export type BackendRun = (context: RunContext) => AsyncGenerator<Output, Outcome, void>;

/** What an operator may say of an agent whose work is done elsewhere. */
export interface BackendCard {
  readonly name?: string;
  readonly description?: string;
  /** A run that its server did not finish fails, and is not begun again. For work that must not be done twice. */
  readonly atMostOnce?: boolean;
}

/** Why a backend gave no answer, in words for the caller. `code` and `details` are for programs. */
export class BackendFailure extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, string | number>> | undefined;

  constructor(
    message: string,
    options: {
      readonly code: string;
      readonly details?: Readonly<Record<string, string | number>>;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = "BackendFailure";
    this.code = options.code;
    this.details = options.details;
  }
}

/** An agent whose runs a backend performs. A `BackendFailure` fails the task with its words. */
export function createBackendAgent(
  definition: Omit<AgentDefinition, "run" | "durable">,
  { atMostOnce = false }: BackendCard,
  run: BackendRun,
): Agent {
  return agent({
    capabilities: { pushNotifications: true },
    ...definition,
    durable: !atMostOnce,
    async *run(context) {
      try {
        return yield* run(context);
      } catch (error) {
        if (!(error instanceof BackendFailure) || context.signal.aborted) throw error;
        if (error.cause !== undefined) context.report(error.cause);
        const { code, details } = error;
        return context.fail(error.message, { code, ...(details !== undefined && { details }) });
      }
    },
  });
}
