import type { Command } from "./command.js";

/** A command by its name. What it needs is loaded when it runs. */
export interface CommandEntry {
  /** One word or several, such as `task get`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** All commands, in the order of `parley help`. Each command is a file in `commands/`. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: "help",
    summary: "show the commands, or one command's usage",
    load: async () => (await import("./commands/help.js")).helpCommand,
  },
  {
    name: "version",
    summary: "show the version of parley",
    load: async () => (await import("./commands/version.js")).versionCommand,
  },
  {
    name: "send",
    summary: "send a message to an agent, and wait for the answer",
    load: async () => (await import("./commands/send.js")).sendCommand,
  },
  {
    name: "chat",
    summary: "talk with an agent",
    load: async () => (await import("./commands/chat.js")).chatCommand,
  },
  {
    name: "card get",
    summary: "show an agent's card",
    load: async () => (await import("./commands/card/get.js")).cardGetCommand,
  },
  {
    name: "task get",
    summary: "show a task, or wait for it",
    load: async () => (await import("./commands/task/get.js")).taskGetCommand,
  },
  {
    name: "task list",
    summary: "list tasks",
    load: async () => (await import("./commands/task/list.js")).taskListCommand,
  },
  {
    name: "task subscribe",
    summary: "follow a task",
    load: async () => (await import("./commands/task/subscribe.js")).taskSubscribeCommand,
  },
  {
    name: "task cancel",
    summary: "cancel a task",
    load: async () => (await import("./commands/task/cancel.js")).taskCancelCommand,
  },
  {
    name: "task download",
    summary: "write the artifacts of a task into files",
    load: async () => (await import("./commands/task/download.js")).taskDownloadCommand,
  },
  {
    name: "task push-config create",
    summary: "register a webhook for a task",
    load: async () => (await import("./commands/task/push-config.js")).pushConfigCreateCommand,
  },
  {
    name: "task push-config get",
    summary: "show a webhook of a task",
    load: async () => (await import("./commands/task/push-config.js")).pushConfigGetCommand,
  },
  {
    name: "task push-config list",
    summary: "list the webhooks of a task",
    load: async () => (await import("./commands/task/push-config.js")).pushConfigListCommand,
  },
  {
    name: "task push-config delete",
    summary: "remove a webhook of a task",
    load: async () => (await import("./commands/task/push-config.js")).pushConfigDeleteCommand,
  },
  {
    name: "auth login",
    summary: "sign in to an agent",
    load: async () => (await import("./commands/auth/login.js")).authLoginCommand,
  },
  {
    name: "config show",
    summary: "show where options come from",
    load: async () => (await import("./commands/config/show.js")).configShowCommand,
  },
  {
    name: "completion",
    summary: "write a script for the completion of a shell",
    load: async () => (await import("./commands/completion.js")).completionCommand,
  },
  {
    name: "key",
    summary: "make an API key and its hash",
    load: async () => (await import("./commands/key.js")).keyCommand,
  },
  {
    name: "serve",
    summary: "serve an agent: a module, a program, a service, a model, another agent, or the demo",
    load: async () => (await import("./commands/serve.js")).serveCommand,
  },
  {
    name: "demo-server",
    summary: "serve the demo agent, which has a skill for each feature of the protocol",
    load: async () => (await import("./commands/demo-server.js")).demoServerCommand,
  },
  {
    name: "gateway",
    summary: "serve another agent, of any version, in every version",
    load: async () => (await import("./commands/gateway.js")).gatewayCommand,
  },
  {
    name: "migrate",
    summary: "bring the schema of a PostgreSQL database up to date",
    load: async () => (await import("./commands/migrate.js")).migrateCommand,
  },
  {
    name: "cluster",
    summary: "show the nodes that share a store",
    load: async () => (await import("./commands/cluster.js")).clusterCommand,
  },
  {
    name: "drain",
    summary: "let a node hand over its tasks to the others",
    load: async () => (await import("./commands/drain.js")).drainCommand,
  },
  {
    name: "doctor",
    summary: "find what is wrong with an agent, and how to mend it",
    load: async () => (await import("./commands/doctor.js")).doctorCommand,
  },
  {
    name: "conformance",
    summary: "check an agent against the specification, from outside",
    load: async () => (await import("./commands/conformance.js")).conformanceCommand,
  },
  {
    name: "inspect",
    summary: "open a web page that shows an agent, its tasks and the wire",
    load: async () => (await import("./commands/inspect.js")).inspectCommand,
  },
  {
    name: "listen",
    summary: "receive push notifications, and pass them on",
    load: async () => (await import("./commands/listen.js")).listenCommand,
  },
  {
    name: "trigger",
    summary: "bring a task into a state, or tell a webhook so",
    load: async () => (await import("./commands/trigger.js")).triggerCommand,
  },
  {
    name: "bench",
    summary: "measure how long an agent takes to answer",
    load: async () => (await import("./commands/bench.js")).benchCommand,
  },
  {
    name: "translate",
    summary: "show a request or an agent card in every version of the protocol",
    load: async () => (await import("./commands/translate.js")).translateCommand,
  },
];

/** The command that arguments begin with, the longest name first; `undefined` when there is none. */
export function findCommand(
  args: readonly string[],
): { readonly entry: CommandEntry; readonly rest: readonly string[] } | undefined {
  for (let words = Math.min(args.length, longest); words > 0; words -= 1) {
    const name = args.slice(0, words).join(" ");
    const entry = commandTable.find((one) => one.name === name);
    if (entry !== undefined) return { entry, rest: args.slice(words) };
  }
  return undefined;
}

/** The commands whose names begin with these words, such as those of `task`. */
export function commandsBelow(words: string): readonly CommandEntry[] {
  return commandTable.filter(({ name }) => name.startsWith(`${words} `));
}

const longest = Math.max(...commandTable.map(({ name }) => name.split(" ").length));
