import { once } from "node:events";
import { connect, constants, createServer } from "node:http2";
import type { ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { openRoundRobin } from "./round-robin.js";

/** Calls a node over gRPC's transport through the proxy; the node does what it is told, and its connection is lost. */
async function callOneThatDies(answer: (stream: ServerHttp2Stream) => void): Promise<number> {
  const node = createServer();
  const sockets = new Set<Socket>();
  node.on("connection", (socket: Socket) => sockets.add(socket));
  node.on("stream", (stream: ServerHttp2Stream) => {
    stream.on("error", () => undefined);
    stream.on("end", () => {
      answer(stream);
      // As when the process is killed: nothing is said, the connection is gone.
      setTimeout(() => sockets.forEach((socket) => socket.destroy()), 50);
    });
    stream.resume();
  });
  node.on("sessionError", () => undefined);
  node.listen(0, "127.0.0.1");
  await once(node, "listening");
  const grpcPort = (node.address() as AddressInfo).port;
  await using proxy = await openRoundRobin([{ port: grpcPort, grpcPort }]);
  const session = connect(`http://${proxy.grpcAddress}`);
  const call = session.request({ ":method": "POST", ":path": "/a2a" });
  call.on("error", () => undefined);
  call.end("a question");
  call.resume();
  await new Promise<void>((resolve) => call.once("close", resolve));
  session.destroy();
  node.close();
  return call.rstCode ?? constants.NGHTTP2_NO_ERROR;
}

describe("the proxy before the nodes", () => {
  it("closes a call whose node dies before it has answered", async () => {
    expect(await callOneThatDies(() => undefined)).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  });

  it("closes a stream whose node dies in the middle of it, and does not end it in order", async () => {
    const begin = (stream: ServerHttp2Stream): void => {
      stream.respond({ ":status": 200 });
      stream.write("one");
    };
    expect(await callOneThatDies(begin)).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  });
});
