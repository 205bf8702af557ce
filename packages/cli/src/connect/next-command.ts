import { isInterrupted, isTerminal } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import type { Invocation } from "../options/define-command.js";
import { ruleOf } from "../options/option-table.js";
import type { OptionName } from "../options/option-table.js";
import type { GivenOption } from "../options/read-options.js";

/** What of a command line the next one repeats. */
export type Typed = Pick<Invocation, "command" | "positionals" | "given">;

const keptOptions: readonly string[] = [
  "agent-card",
  "a2a-version",
  "transport",
  "config",
  "insecure",
  "client-cert",
  "client-key",
  "bearer",
  "api-key",
];

/** The options that the next command needs too: how to reach the agent, as far as the command line said it. */
export function agentFlags({ given }: Pick<Typed, "given">): string {
  return flagsOf(given.filter(({ name }) => keptOptions.includes(name)));
}

/** The same command once more, with some of its options given anew: `more` has them. */
export function sameCommand(
  { command, positionals, given }: Typed,
  more: string,
  ...anew: readonly OptionName[]
): string {
  const words = positionals.map((word) => ` ${shorten(word)}`).join("");
  const flags = flagsOf(given.filter(({ name }) => !anew.includes(name)));
  return `parley ${command}${words}${flags} ${more}`;
}

/** Options as they are typed. In the place of a secret is what the help texts call it. */
function flagsOf(given: readonly GivenOption[]): string {
  const flags = given.map(({ name, value }) => {
    const { short, isSecret, value: placeholder = "" } = ruleOf(name);
    const flag = short === undefined ? `--${name}` : `-${short}`;
    if (value === undefined) return flag;
    if (isSecret === true) return `${flag} ${placeholder}`;
    return `${flag} ${shorten(withoutSecret(name, value))}`;
  });
  return flags.map((flag) => ` ${flag}`).join("");
}

/** The value of a service parameter may be a secret, and an address may have a password in it. */
function withoutSecret(name: string, value: string): string {
  if (name === "svc-param") return value.replace(/:[^]*/, ":VALUE");
  if (name !== "agent-card") return value;
  return value.replace(/^((?:[a-z][a-z\d+.-]*:\/\/)?[^\s/?#@:]*):[^\s/?#@]*@/i, "$1:PASSWORD@");
}

const maxWord = 200;

/** A word of a command line; one that is too long or has lines to be read in a hint is left to the reader. */
function shorten(word: string): string {
  return word.length > maxWord || /\p{Cc}/u.test(word) ? '"…"' : quote(word);
}

/** What of a task decides how to go on with it. */
export interface Continued {
  readonly id: string;
  readonly contextId?: string;
  readonly state: Task["status"]["state"];
}

/** The command that continues: answers a task that waits, waits for one that works, or goes on in the context. */
export function nextCommand(invocation: Pick<Typed, "given">, task: Continued): string | undefined {
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
