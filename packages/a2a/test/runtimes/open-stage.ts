import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import type { OutputChunk, OutputOptions } from "rolldown";
import { openChaosProxy } from "../support/proxies/chaos-proxy.js";
import type { Fate } from "../support/proxies/chaos-proxy.js";
import { openDemo, streamedText } from "../support/servers/open-demo.js";
import type { Story, StoryPlaces } from "./client-story.js";

export interface Stage extends AsyncDisposable {
  readonly places: StoryPlaces;
}

/** The demo agent, open to the pages given, and a proxy before it whose first connections are cut. */
export async function openStage(origins: readonly string[]): Promise<Stage> {
  const demo = await openDemo({ cors: { origins } });
  // A browser's question whether it may call takes some of the bytes, and some of the connections.
  const fates = Array.from({ length: 3 }, (): Fate => ({ kind: "cut", afterBytes: 2500 }));
  const proxy = await openChaosProxy(demo.url, fates);
  return {
    places: { agentUrl: demo.url, badLineUrl: proxy.url },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await demo[Symbol.asyncDispose]();
    },
  };
}

/** The story as scripts for a runtime that has the web's names only. */
export async function bundleStory(options: OutputOptions): Promise<readonly OutputChunk[]> {
  await using build = await rolldown({
    input: fileURLToPath(new URL("./client-story.ts", import.meta.url)),
    platform: "browser",
    logLevel: "silent",
  });
  const { output } = await build.generate(options);
  return output.filter((one) => one.type === "chunk");
}

/** How the story has to end, wherever it is told. */
export const expectedStory: Omit<Story, "reconnections"> = {
  connected: ["Parley demo", "JSONRPC", "1.0"],
  answers: {
    "JSONRPC 1.0": "hello",
    "HTTP+JSON 1.0": "hello",
    "JSONRPC 0.3": "hello",
    "HTTP+JSON 0.3": "hello",
    "JSONRPC 0.1": "hello",
  },
  file: "name,value\nanswer,42\n",
  streamed: streamedText(20),
  asked: "Booked. Your confirmation is XYZ123.",
  canceled: "TASK_STATE_CANCELED",
  aborted: "Error: enough, TASK_STATE_WORKING",
  refused: 'A2AError: Task not found: there is no task "none"',
};
