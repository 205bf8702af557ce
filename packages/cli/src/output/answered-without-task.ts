import { sameCommand } from "../connect/next-command.js";
import type { Typed } from "../connect/next-command.js";
import { CliError } from "./cli-error.js";

/** The error for an agent that answers with a message where a command needs a task. */
export function answeredWithoutTask(typed: Typed): CliError {
  const message =
    "the agent answered with a message, which has no states; choose a --message for which it opens a task";
  const hint = sameCommand(typed, "--message TEXT", "message");
  return new CliError("A2ACLI_ERR_INTERNAL", message, { hint });
}
