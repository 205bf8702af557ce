import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandOutput, ExitCode } from "../../command.js";
import { waitForStop, watchedVariable } from "../wait-for-stop.js";
import { FileWatch } from "./file-watch.js";
import type { WatchedMessage } from "./watched-message.js";

/** Editors write several files, or one in several steps. */
const settleMs = 100;

/**
 * Serves in another process, and replaces it whenever a file changes that it has loaded. The next one serves at the same ports and over
 * the same store, so that tasks that wait go on with the new code.
 */
export async function watchModule(
  args: readonly string[],
  output: CommandOutput,
): Promise<ExitCode> {
  const stopped = waitForStop().then(() => "stop" as const);
  let ports: readonly string[] = [];
  for (;;) {
    let announceChange = (): void => undefined;
    const changed = new Promise<"change">((resolve) => {
      announceChange = () => resolve("change");
    });
    using files = new FileWatch(() => announceChange());
    let hasLoaded = false;
    const server = startServer([...args, ...ports], output, (message) => {
      if ("file" in message) {
        hasLoaded = true;
        files.add(message.file);
      } else ports = portsOf(message);
    });
    const ended = once(server, "close").then(() => "end" as const);
    const first = await Promise.race([stopped, changed, ended]);
    // A command line that cannot be served is no better after a change.
    if (first === "end" && !hasLoaded) return codeOf(server);
    if (first === "end") output.stderr.write("The server has ended. Waiting for a change.\n");
    const next = first === "end" ? await Promise.race([stopped, changed]) : first;
    if (next === "change") await sleep(settleMs);
    if (server.exitCode === null) server.kill("SIGTERM");
    await ended;
    if (next === "stop") return codeOf(server);
    output.stderr.write("A file has changed. Starting again.\n");
  }
}

function startServer(
  args: readonly string[],
  output: CommandOutput,
  onMessage: (message: WatchedMessage) => void,
): ChildProcess {
  const [, main = ""] = process.argv;
  const server = spawn(process.execPath, [...process.execArgv, main, "serve", ...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, [watchedVariable]: "1" },
  });
  server.stdout?.setEncoding("utf8").on("data", (text: string) => output.stdout.write(text));
  server.stderr?.setEncoding("utf8").on("data", (text: string) => output.stderr.write(text));
  server.on("message", (message) => onMessage(message as WatchedMessage));
  return server;
}

/** The options that make the next server serve at the same ports. */
function portsOf(message: Exclude<WatchedMessage, { readonly file: string }>): readonly string[] {
  const [, grpcPort] = /:(\d+)$/.exec(message.grpcAddress ?? "") ?? [];
  const grpc = grpcPort === undefined ? [] : ["--grpc-port", grpcPort];
  return ["--port", String(message.port), ...grpc];
}

function codeOf({ exitCode }: ChildProcess): ExitCode {
  return exitCode === 0 || exitCode === 2 ? exitCode : 1;
}
