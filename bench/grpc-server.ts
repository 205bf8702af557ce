/** One of the servers that bench/grpc.ts compares, in a process of its own. Ends with its parent. */
import process from "node:process";
import { setImmediate as immediate } from "node:timers/promises";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { agent } from "@parley/a2a";
import type { AgentService } from "@parley/a2a";
import { openGrpcServer } from "@parley/a2a/grpc";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { A2AService, grpcService, UserBuilder } from "a2a-sdk-1.0/server/grpc";
import { createSdkHandler } from "./http-sdk.js";

/** Opens a server of each kind on a free port. */
const servers: Readonly<Record<string, (folder: string) => Promise<number>>> = {
  sdk() {
    const server = new Server();
    const requestHandler = createSdkHandler();
    const service = grpcService({ requestHandler, userBuilder: UserBuilder.noAuthentication });
    server.addService(A2AService, service);
    return new Promise((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
  },
  /** Opens the binding alone, over a service that does no work. */
  async bare() {
    const agentCard = answering.card([]);
    const server = await openGrpcServer({
      mounts: [{ agent: { service: idle as AgentService, card: () => agentCard } }],
      port: 0,
    });
    return server.port;
  },
  async memory() {
    return portOf(await serve(answering, { ...options, store: createMemoryStore() }));
  },
  async sqlite(folder) {
    return portOf(await serve(answering, { ...options, store: `${folder}/bench.db` }));
  },
};

const idle: Partial<AgentService> = {
  async sendMessage({ message }) {
    return { message: { messageId: "m", role: "ROLE_AGENT", parts: message.parts } };
  },
  async *sendStreamingMessage() {
    const ids = { taskId: "t", contextId: "c" };
    yield { response: { task: { id: "t", status: { state: "TASK_STATE_WORKING" } } } };
    for (let chunk = 0; chunk < 100; chunk += 1) {
      await immediate();
      const artifact = { artifactId: "answer", parts: [{ text: `chunk ${chunk} ` }] };
      yield { response: { artifactUpdate: { ...ids, artifact, append: true } }, sequence: chunk };
    }
    yield { response: { statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED" } } } };
  },
};

const options = { port: 0, grpc: { port: 0 } };

/** `echo` answers with a message, `stream N` in N chunks, as the SDK's agent does. */
const answering = agent({
  name: "bench",
  description: "Answers for the benchmark",
  run({ text }) {
    const [word = "", count = "1"] = text.split(" ");
    return word === "stream" ? produce(Number(count)) : text;
  },
});

async function* produce(chunks: number): AsyncGenerator<string, void, void> {
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    await immediate();
    yield `chunk ${chunk} `;
  }
}

function portOf({ grpcAddress = "" }: { readonly grpcAddress?: string }): number {
  return Number(/\d+$/.exec(grpcAddress)?.[0]);
}

const [kind = "", folder = ""] = process.argv.slice(2);
process.once("disconnect", () => process.exit());
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});
process.send?.({ port: await servers[kind]?.(folder) });
