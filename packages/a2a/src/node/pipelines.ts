import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many requests of one connection may wait for the answers before theirs. */
const maxPipelined = 4;

/**
 * Counts the requests that a caller sends without waiting for answers. Node reads all of them and keeps each answer until
 * its turn comes, so a caller that reads nothing could fill the memory.
 */
export class Pipelines {
  readonly #waiting = new WeakMap<Socket, number>();

  /** Counts a request. Closes its connection, and returns false, when too many wait. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // An answer whose turn it is has a socket.
    if (response.socket !== null) return true;
    if (socket.destroyed) return false;
    const waiting = (this.#waiting.get(socket) ?? 0) + 1;
    if (waiting > maxPipelined) {
      socket.destroy();
      return false;
    }
    this.#waiting.set(socket, waiting);
    response.once("close", () => this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1));
    return true;
  }
}
