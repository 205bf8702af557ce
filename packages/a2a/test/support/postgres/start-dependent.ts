import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown } from "node:fs/promises";
import process from "node:process";

/** A program that ends with the test process, however that one ends. */
export interface Dependent {
  readonly pid: number;
  /** What it has written so far, to either stream. */
  readonly output: string;
  /** Sends it a signal, and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface DependentOptions {
  /** The program has started when it writes this. Rejects with the output when it ends before. */
  readonly ready: RegExp;
  /** Removed when the test process is gone. */
  readonly folder: string;
}

/** PostgreSQL and PgBouncer refuse to run as root. Root starts them as this user, which owns nothing else. */
export const serverUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Gives a file or a folder to the user that servers run as. */
export async function giveToServer(path: string): Promise<void> {
  if (serverUser.uid !== undefined) await chown(path, serverUser.uid, serverUser.gid);
}

/** The shell sees the end of its input when the test process is gone, whatever became of that one's own handlers. */
const guard = `
folder=$1; shift
"$@" </dev/null & pid=$!
echo "pid $pid"
exec 3<&0
{ cat <&3 >/dev/null; kill -KILL $pid; rm -rf "$folder"; } 2>/dev/null & guard=$!
wait $pid; code=$?
kill $guard 2>/dev/null
exit $code
`;

/** Starts a program, under another user where the test runs as root. */
export async function startDependent(
  command: string,
  args: readonly string[],
  { ready, folder }: DependentOptions,
): Promise<Dependent> {
  const shell = spawn("/bin/sh", ["-c", guard, "sh", folder, command, ...args], {
    ...serverUser,
    cwd: folder,
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    stdio: "pipe",
  });
  const exited = once(shell, "exit");
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const listen = (data: Buffer): void => {
      output += data.toString();
      if (ready.test(output)) resolve();
    };
    shell.stdout.on("data", listen);
    shell.stderr.on("data", listen);
    shell.on("error", reject);
    void exited.then(() => reject(new Error(`${command} has ended:\n${output}`)));
  });
  const pid = Number(/^pid (\d+)$/mu.exec(output)?.[1]);
  return {
    pid,
    get output() {
      return output;
    },
    async end(signal) {
      if (shell.exitCode === null) process.kill(pid, signal);
      await exited;
    },
  };
}
