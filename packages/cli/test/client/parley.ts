import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { codecs, Cursor } from "@parley/a2a/wire";
import { checkProtocolType } from "../../../a2a/test/support/protocol-type.js";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** A folder that holds no options, for processes that are given no other. */
const emptyFolder = mkdtempSync(join(tmpdir(), "parley-client-"));

export interface ParleyOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What the process reads from standard input. */
  readonly input?: string;
}

/** Starts the compiled program, with no options but those that are given. */
export function startParley(
  args: readonly string[],
  { env = {}, cwd = emptyFolder }: ParleyOptions = {},
): ChildProcessWithoutNullStreams {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:A2ACLI|PARLEY)_/.test(name),
  );
  return spawn(process.execPath, [main, ...args], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      HOME: emptyFolder,
      XDG_CONFIG_HOME: emptyFolder,
      ...env,
    },
  });
}

/** What a process has said, and how it ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the compiled program to its end. */
export async function parley(args: readonly string[], options: ParleyOptions = {}): Promise<Ran> {
  const child = startParley(args, options);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => undefined).end(options.input ?? "");
  await once(child, "close");
  return { code: child.exitCode, stdout, stderr };
}

/** The value of a `Label: value` line. */
export function labeled(text: string, label: string): string | undefined {
  return new RegExp(`^${label}: (.*)$`, "m").exec(text)?.[1];
}

const codec = codecs["1.0"];
const cursor = (): Cursor => new Cursor({ code: "INVALID_AGENT_RESPONSE" });

/** The JSON of a text, which the specification's own proto file has to know by every member. */
function parseAs(type: string, text: string): unknown {
  const json: unknown = JSON.parse(text);
  checkProtocolType(type, json);
  return json;
}

/**
 * Reads the one document of an output, which is to be of a type of the protocol: by the specification's proto file, which has no members
 * that are required, and by our decoder, which takes members that it does not know.
 */
export const documentOf = {
  sent: (text: string) =>
    codec.decodeResult.sendMessage(parseAs("SendMessageResponse", text), cursor(), {}),
  task: (text: string) => codec.decodeResult.getTask(parseAs("Task", text), cursor(), {}),
  tasks: (text: string) =>
    codec.decodeResult.listTasks(parseAs("ListTasksResponse", text), cursor(), {}),
  card: (text: string) => codec.decodeAgentCard(parseAs("AgentCard", text), cursor()),
  config: (text: string) =>
    codec.decodeResult.getTaskPushNotificationConfig(
      parseAs("TaskPushNotificationConfig", text),
      cursor(),
      {},
    ),
  configs: (text: string) =>
    codec.decodeResult.listTaskPushNotificationConfigs(
      parseAs("ListTaskPushNotificationConfigsResponse", text),
      cursor(),
      {},
    ),
  /** The events of a stream, one on each line. */
  events: (text: string) => {
    expect(text.endsWith("\n")).toBe(true);
    return text
      .trimEnd()
      .split("\n")
      .map((line) => codec.decodeEvent(parseAs("StreamResponse", line), cursor(), {}));
  },
  error: (text: string) =>
    (
      JSON.parse(text) as {
        error: { code: string; message: string; hint: string; a2aCode: unknown };
      }
    ).error,
};
