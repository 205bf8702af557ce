/** One of the servers that bench/http.ts compares, in a process of its own. Ends with its parent. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { setImmediate as immediate } from "node:timers/promises";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createSdkServer } from "./http-sdk.js";

/** A server's connections are idle while the other servers have their turns, so they must not time out. */
const longerThanARun = 60 * 60 * 1000;

/** Opens a server of each kind on a free port. */
const servers: Readonly<Record<string, (folder: string) => Promise<number>>> = {
  async bare() {
    const server = createServer(answerWithJson).listen(0, "127.0.0.1");
    server.keepAliveTimeout = longerThanARun;
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  },
  async sdk() {
    const server = createSdkServer();
    server.keepAliveTimeout = longerThanARun;
    if (!server.listening) await once(server, "listening");
    return (server.address() as AddressInfo).port;
  },
  async memory() {
    return (
      await serve(answering, {
        port: 0,
        store: createMemoryStore(),
        timeouts: { idleMs: longerThanARun },
      })
    ).port;
  },
  async sqlite(folder) {
    return (
      await serve(answering, {
        port: 0,
        store: `${folder}/bench.db`,
        timeouts: { idleMs: longerThanARun },
      })
    ).port;
  },
};

/** `echo` answers with a message, `task` with a finished task, `stream N` in N chunks. */
const answering = agent({
  name: "bench",
  description: "Answers for the benchmark",
  inputModes: ["text/plain", "application/json"],
  run({ text }) {
    const [word = "", count = "1"] = text.split(" ");
    if (word === "echo") return text;
    return produce(word === "stream" ? Number(count) : 1, word === "stream");
  },
});

async function* produce(chunks: number, awaits: boolean): AsyncGenerator<string, void, void> {
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    if (awaits) await immediate();
    yield `chunk ${chunk} `;
  }
}

/** The least that any server has to do: read a body, parse it, and write a reply of the same size. */
function answerWithJson(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const call = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly id: string;
      readonly params: {
        readonly message: {
          readonly messageId: string;
          readonly parts: readonly { readonly text?: string }[];
        };
      };
    };
    const { messageId, parts } = call.params.message;
    const message = {
      messageId,
      role: "ROLE_AGENT",
      parts: [{ text: parts[0]?.text }],
      contextId: messageId,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: call.id, result: { message } });
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  });
}

const [kind = "", folder = ""] = process.argv.slice(2);
process.once("disconnect", () => process.exit());
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});
process.send?.({ port: await servers[kind]?.(folder) });
