import { connect } from "node:net";
import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { promisesOf } from "./promises-of.js";

const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hello" }] };
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } });
const request = `POST / HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Sends so many messages over one connection, each when the one before is answered. Makes one promise for all of them. */
function send(socket: Socket, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count;
    socket.on("error", reject);
    socket.on("data", (answer) => {
      if (!answer.includes('"message":')) reject(new Error(answer.toString()));
      left -= 1;
      if (left > 0) socket.write(request);
      else {
        socket.removeAllListeners();
        resolve();
      }
    });
    socket.write(request);
  });
}

it.each([
  ["that has it at hand", (text: string) => text, 9],
  ["that awaits something", (text: string) => Promise.resolve(text).then(() => text), 27],
])("a reply of an agent %s takes few promises between two sockets", async (_, reply, most) => {
  const subject = agent({
    name: "Echo",
    description: "Says it again",
    run: ({ text }) => reply(text),
  });
  await using server = await serve(subject, { port: 0, store: createMemoryStore() });
  const socket = connect(server.port, "127.0.0.1");
  await send(socket, 10);
  const count = 200;
  const made = await promisesOf(() => send(socket, count));
  socket.destroy();
  expect(Math.floor(made / count)).toBeLessThanOrEqual(most);
});
