import { CliError } from "./cli-error.js";

/** The error for an agent that answers with a message where a command needs a task. */
export function answeredWithoutTask(command: string): CliError {
  const message = "the agent answered with a message, and a message has no states";
  return new CliError("A2ACLI_ERR_INTERNAL", message, {
    hint: `parley ${command} --message TEXT that makes this agent open a task`,
  });
}
