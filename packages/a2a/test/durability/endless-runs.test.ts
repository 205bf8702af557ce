import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { jsonOf, open, rpc, say } from "../support/clients/http-client.js";
import { openFolder } from "../support/files/open-folder.js";
import { openEndless } from "./endless-process.js";

const count = 1000;

/** How long an answer may take on a busy machine, before it counts as none. */
const patienceMs = 10_000;

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
