import { once } from "node:events";
import { connect } from "node:http2";
import { SendMessageRequest } from "a2a-sdk-1.0";
import { A2AService } from "a2a-sdk-1.0/server/grpc";
import { encodeCall, GrpcConnection } from "./grpc-connection.js";
import type { Sent } from "./shapes.js";

export interface GrpcPlan {
  readonly port: number;
  readonly method: "SendMessage" | "SendStreamingMessage";
  readonly text: string;
  readonly forMs: number;
}

const connectionCount = 8;
const callsEach = 8;
const connections = new Map<number, Promise<readonly GrpcConnection[]>>();

/** Makes calls on several connections, several at once on each. Throws when an answer is not what it should be. */
export async function sendGrpc({ port, method, text, forMs }: GrpcPlan): Promise<Sent> {
  const path = `/lf.a2a.v1.A2AService/${method}`;
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  const encoded = A2AService.sendMessage.requestSerialize(SendMessageRequest.fromJSON({ message }));
  const call = encodeCall(path, encoded);
  const expected = await lengthOfAnswer(port, path, call.message);
  const opened =
    connections.get(port) ??
    Promise.all(Array.from({ length: connectionCount }, () => GrpcConnection.open(port)));
  connections.set(port, opened);
  const latencies: number[] = [];
  const start = performance.now();
  const lanes = (await opened).flatMap((connection) =>
    Array.from({ length: callsEach }, async () => {
      do {
        const sentAt = performance.now();
        const bytes = await connection.call(call);
        // Ids and times have fixed lengths; numbers may have a digit more or less.
        if (Math.abs(bytes - expected) > expected / 10) {
          throw new Error(`expected an answer of ${expected} bytes, got ${bytes}`);
        }
        latencies.push(performance.now() - sentAt);
      } while (performance.now() - start < forMs);
    }),
  );
  await Promise.all(lanes);
  return { latencies, seconds: (performance.now() - start) / 1000 };
}

/** Returns the length of a successful answer, read by a full HTTP/2 client. */
async function lengthOfAnswer(port: number, path: string, message: Buffer): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    "a2a-version": "1.0",
  });
  let bytes = 0;
  let status: string | string[] | undefined;
  stream.on("data", (chunk: Buffer) => (bytes += chunk.length));
  stream.on("trailers", (trailers) => (status = trailers["grpc-status"]));
  stream.end(message);
  await once(stream, "end");
  session.destroy();
  if (status === "0" && bytes > 0) return bytes;
  throw new Error(`${path} ended with ${String(status)} after ${bytes} bytes`);
}
