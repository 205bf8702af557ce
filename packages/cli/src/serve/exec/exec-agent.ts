import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import type { Agent, Outcome, Output, RunContext } from "@parley/a2a";
import { BackendFailure, createBackendAgent } from "../backend-agent.js";
import type { BackendCard } from "../backend-agent.js";
import type { End } from "../said.js";
import { Program } from "./program.js";
import type { ProgramEnd } from "./program.js";

/** A program that answers messages, and how it is run. */
export interface ExecOptions extends BackendCard {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** How long a canceled program has between SIGTERM and SIGKILL; 2 s when absent. */
  readonly killAfterMs?: number;
}

/**
 * An agent that starts a program for each message. The program reads the text of the message from its standard input, and what it
 * writes to its standard output is the answer. Lines of JSON on file descriptor 3 are outputs and ends, see `readSaid`.
 */
export function createExecAgent(options: ExecOptions): Agent {
  const { words, killAfterMs = 2000 } = options;
  const program = basename(words[0] ?? "");
  const { name = program, description = `Answers with what ${program} writes` } = options;
  const inputModes = ["text/plain", "*/*"];
  const outputModes = ["text/plain", "*/*"];
  return createBackendAgent({ name, description, inputModes, outputModes }, options, (context) =>
    perform(context, words, killAfterMs),
  );
}

async function* perform(
  context: RunContext,
  words: readonly string[],
  killAfterMs: number,
): AsyncGenerator<Output, Outcome, void> {
  const { text: input, signal } = context;
  const folder = await mkdtemp(join(tmpdir(), "parley-run-"));
  try {
    signal.throwIfAborted();
    const request = join(folder, "request.json");
    const { message, history } = context;
    await writeFile(request, JSON.stringify({ message, history }), { mode: 0o600 });
    const env = environmentOf(context, request);
    const program = new Program({ words, env, input, killAfterMs });
    const stop = (): void => program.stop();
    signal.addEventListener("abort", stop, { once: true });
    let end: End | undefined;
    try {
      for await (const said of program.said) {
        if ("end" in said) end = said.end;
        else yield said.output;
      }
      return conclude(await program.end(), end, context);
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function conclude(
  { code, signal, lastLines }: ProgramEnd,
  end: End | undefined,
  context: RunContext,
): Outcome {
  if (code === 0 || end?.isBad === true) return end?.conclude(context);
  const how = code === null ? `was ended by ${signal}` : `ended with the exit code ${code}`;
  const said = lastLines === "" ? "" : `:\n${lastLines}`;
  throw new BackendFailure(`The program ${how}${said}`, {
    code: "PROGRAM_FAILED",
    details: code === null ? { signal: signal ?? "unknown" } : { exitCode: code },
  });
}

/** The server's environment without what is for the server alone, and with what a program may want to know of its run. */
function environmentOf(context: RunContext, requestFile: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PARLEY_"));
  const { taskId, contextId, message, caller, tenant } = context;
  const own: Readonly<Record<string, string | undefined>> = {
    PARLEY_TASK_ID: taskId,
    PARLEY_CONTEXT_ID: contextId,
    PARLEY_MESSAGE_ID: message.messageId,
    PARLEY_CALLER: caller?.subject,
    PARLEY_TENANT: tenant,
    PARLEY_REQUEST_FILE: requestFile,
    PARLEY_OUTPUT_FD: "3",
  };
  const given = Object.entries(own).flatMap(([name, value]) =>
    // An environment cannot hold a zero byte, and callers choose some of these.
    value === undefined ? [] : [[name, value.replaceAll("\0", "\uFFFD")] as const],
  );
  return Object.fromEntries([...inherited, ...given]);
}
