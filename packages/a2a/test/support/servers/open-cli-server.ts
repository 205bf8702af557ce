import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../../../cli/dist/main.js", import.meta.url));

/** `parley serve` in a process of its own, over a store that outlives it. */
export interface CliServer extends AsyncDisposable {
  readonly url: string;
  /** Sends a signal and waits for the process to end; answers its exit code. */
  stop(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null>;
  /** What the process has written to stdout, and to stderr. */
  stdout(): string;
  stderr(): string;
}

/** Starts `parley serve` with further arguments, or with further variables in its environment. */
export async function openCliServer(
  store: string,
  ...more: readonly (string | Readonly<Record<string, string>>)[]
): Promise<CliServer> {
  const args = more.filter((one) => typeof one === "string");
  const variables = more.filter((one) => typeof one === "object");
  const child = spawn(
    process.execPath,
    [bin, "serve", "--port", "0", "--store", store, "--no-grpc", ...args],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: Object.assign({}, process.env, ...variables) as NodeJS.ProcessEnv,
    },
  );
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = once(child, "exit").then(() => child.exitCode);
  const url = await Promise.race([readUrl(child), exited]);
  if (typeof url !== "string") throw new Error(`the server did not start: ${stderr}`);
  const stop: CliServer["stop"] = (signal) => {
    if (child.exitCode === null) child.kill(signal);
    return exited;
  };
  return {
    url,
    stop,
    stdout: () => stdout,
    stderr: () => stderr,
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}

/** Reads the URL from the line that names the card. */
function readUrl({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stdout?.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const [, url] = /^Card: (.*)\/\.well-known\/agent-card\.json$/m.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}
