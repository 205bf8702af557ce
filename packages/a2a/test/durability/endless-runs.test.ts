import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { RuntimeSettings } from "@parley/a2a/server";
import { jsonOf, open, rpc, say } from "../support/clients/http-client.js";
import { openFolder } from "../support/files/open-folder.js";

const script = fileURLToPath(new URL("./serve-endless.mjs", import.meta.url));
const count = 1000;

/** How long an answer may take on a busy machine, before it counts as none. */
const patienceMs = 10_000;

interface Endless extends AsyncDisposable {
  readonly url: string;
  /** How many endless runs have begun. */
  readonly begun: number;
  kill(): Promise<void>;
}

/** A server in a process with little memory, so that few runs work at a time. */
async function openEndless(path: string, settings: Partial<RuntimeSettings>): Promise<Endless> {
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

/** Sends a text from an address of this machine, and returns the answer within the time that a caller has. */
async function sendFrom(
  localAddress: string,
  url: string,
  words: string,
  isBlocking = true,
): Promise<unknown> {
  const message = { ...say(words), configuration: { returnImmediately: !isBlocking } };
  const signal = AbortSignal.timeout(patienceMs);
  const incoming = await open(url, "POST /", rpc("SendMessage", message), { localAddress, signal });
  const answer = { text: await text(incoming) };
  if (incoming.statusCode !== 200) throw new Error(`${incoming.statusCode}: ${answer.text}`);
  return jsonOf(answer).result;
}

/** Some runs show their task at once, the others work silently in it. */
async function flood(url: string): Promise<void> {
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      await sendFrom("127.0.0.1", url, sent % 2 === 0 ? "endless" : "silent", false);
    }
  };
  await Promise.all(Array.from({ length: 20 }, lane));
}

const greeting = { message: expect.objectContaining({ parts: [{ text: "Hi" }] }) as unknown };

it("a thousand endless tasks of one anonymous caller leave the others answered, after a kill again", async () => {
  await using folder = await openFolder();
  const settings = { leaseMs: 1000 };
  {
    await using server = await openEndless(folder.file(), settings);
    await flood(server.url);
    for (const address of ["127.0.0.2", "127.0.0.3"]) {
      expect(await sendFrom(address, server.url, "hello")).toEqual(greeting);
    }
    expect(server.begun).toBeLessThan(count / 2);
  }
  await using server = await openEndless(folder.file(), settings);
  await expect.poll(() => server.begun, { timeout: 60_000 }).toBeGreaterThan(4);
  for (const address of ["127.0.0.2", "127.0.0.3"]) {
    expect(await sendFrom(address, server.url, "hello")).toEqual(greeting);
    const task = await sendFrom(address, server.url, "endless", false);
    await expect
      .poll(() => stateAt(server.url, task), { timeout: patienceMs })
      .toBe("TASK_STATE_WORKING");
  }
  expect(server.begun).toBeLessThan(count / 2);
});

async function stateAt(url: string, sent: unknown): Promise<string> {
  const { id } = (sent as { readonly task: { readonly id: string } }).task;
  const incoming = await open(url, "POST /", rpc("GetTask", { id }), { localAddress: "127.0.0.2" });
  const { result } = jsonOf({ text: await text(incoming) });
  return String((result as unknown as { status: { state: string } }).status.state);
}
