import { once } from "node:events";
import type { Socket } from "node:net";
import { openSocket } from "../open-socket.js";
import { Letter } from "./request.js";

/** A caller that reads the first bytes of a stream and then no more, with its connection open. */
export class StalledReader {
  /** What it has read. */
  readonly begun: string;
  readonly #socket: Socket;

  private constructor(socket: Socket, begun: string) {
    this.#socket = socket;
    this.begun = begun;
  }

  static async open(port: number, request: string): Promise<StalledReader> {
    const socket = await openSocket(port);
    socket.write(new Letter(request).next());
    let begun = "";
    // The first event follows the headers.
    while (!begun.includes("\n\n")) {
      const [data] = (await once(socket, "data")) as [Buffer];
      begun += data.toString();
    }
    socket.removeAllListeners("data");
    socket.pause();
    return new StalledReader(socket, begun);
  }

  close(): void {
    this.#socket.destroy();
  }
}
