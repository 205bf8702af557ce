import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { OpenSubject } from "./subject.js";

/** Answers whatever comes with the same bytes, without a look at it: what the load generator can do at most. */
export const open: OpenSubject = async () => {
  const body = JSON.stringify({ result: "x".repeat(250) });
  const answer = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("data", () => socket.write(answer));
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port };
};
