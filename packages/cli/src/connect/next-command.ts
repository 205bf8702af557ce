import { isInterrupted, isTerminal } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import type { Invocation } from "../options/define-command.js";
import type { ConnectOption } from "./connect-options.js";

const keptOptions: readonly string[] = [
  "agent-card",
  "a2a-version",
  "transport",
  "config",
  "insecure",
  "client-cert",
  "client-key",
];

/** The options that the next command needs too: how to reach the agent, as far as the command line said it. */
export function agentFlags({ given }: Pick<Invocation<ConnectOption>, "given">): string {
  const kept = given.filter(({ name }) => keptOptions.includes(name));
  const flags = kept.map(({ name, value }) => {
    const flag = name === "agent-card" ? "-a" : `--${name}`;
    return value === undefined ? flag : `${flag} ${quote(value)}`;
  });
  return flags.map((flag) => ` ${flag}`).join("");
}

/** What of a task decides how to go on with it. */
export interface Continued {
  readonly id: string;
  readonly contextId?: string;
  readonly state: Task["status"]["state"];
}

/** The command that continues: answers a task that waits, waits for one that works, or goes on in the context. */
export function nextCommand(
  invocation: Pick<Invocation<ConnectOption>, "given">,
  task: Continued,
): string | undefined {
  const { id, contextId, state } = task;
  const flags = agentFlags(invocation);
  const context =
    contextId === undefined || contextId === "" ? undefined : ` --context-id ${quote(contextId)}`;
  if (isInterrupted(state)) return `parley send${flags} --task-id ${quote(id)}${context ?? ""} "…"`;
  if (!isTerminal(state)) return `parley task get${flags} ${quote(id)} --wait`;
  return context === undefined ? undefined : `parley send${flags}${context} "…"`;
}

/** A word as a shell reads it. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
