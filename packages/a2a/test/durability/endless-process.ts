import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RuntimeSettings } from "@parley/a2a/server";

const script = fileURLToPath(new URL("./serve-endless.mjs", import.meta.url));

export interface Endless extends AsyncDisposable {
  readonly url: string;
  /** How many endless runs have begun. */
  readonly begun: number;
  kill(): Promise<void>;
}

/** A server in a process with little memory, so that few runs work at a time. */
export async function openEndless(
  path: string,
  settings: Partial<RuntimeSettings>,
): Promise<Endless> {
  const child: ChildProcess = fork(script, [JSON.stringify({ path, settings })], {
    execArgv: ["--max-old-space-size=128"],
  });
  let begun = 0;
  const listening = new Promise<string>((resolve, reject) => {
    child.on("message", (message: { readonly url?: string; readonly begun?: number }) => {
      begun = message.begun ?? begun;
      if (message.url !== undefined) resolve(message.url);
    });
    child.once("exit", (code) => reject(new Error(`the process ended with ${code}`)));
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return {
    url: await listening,
    get begun() {
      return begun;
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
