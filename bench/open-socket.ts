import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";

/** Opens a connection to a server under load. A connection that fails ends the benchmark. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", (error) => {
    throw error;
  });
  await once(socket, "connect");
  return socket;
}
