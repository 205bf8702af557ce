import { once } from "node:events";
import type { Socket } from "node:net";
import { openSocket } from "../open-socket.js";
import { Letter } from "./request.js";

/** Many answers that stay open, one a connection, of which only bytes and ends are counted. */
export class Streams {
  readonly #sockets: Socket[] = [];
  readonly #bytes: number[] = [];
  #ended = 0;
  #onChange: () => void = () => undefined;

  /** Opens so many streams and waits until each has begun to answer. */
  static async open(port: number, count: number, request: string): Promise<Streams> {
    const streams = new Streams();
    const atOnce = 100;
    for (let opened = 0; opened < count; opened += atOnce) {
      const few = Array.from({ length: Math.min(atOnce, count - opened) }, () =>
        streams.#add(port, request),
      );
      await Promise.all(few);
    }
    return streams;
  }

  async #add(port: number, request: string): Promise<void> {
    const socket = await openSocket(port);
    const index = this.#sockets.push(socket) - 1;
    this.#bytes[index] = 0;
    const begun = once(socket, "data");
    let tail: Buffer = Buffer.alloc(0);
    socket.on("data", (data: Buffer) => {
      this.#bytes[index]! += data.length;
      tail = data.length >= 5 ? data : Buffer.concat([tail.subarray(-4), data]);
      if (tail.subarray(-5).equals(lastChunk)) this.#ended += 1;
      this.#onChange();
    });
    socket.write(new Letter(request).next());
    await begun;
  }

  /** Waits until every stream has so many bytes more than when `mark` was called. */
  async more(bytes: number, since: readonly number[]): Promise<void> {
    await this.#until(() => this.#bytes.every((now, index) => now - since[index]! >= bytes));
  }

  mark(): readonly number[] {
    return [...this.#bytes];
  }

  /** Waits until all have ended, or no longer. Returns how many have. */
  async ended(withinMs: number): Promise<number> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#onChange();
    }, withinMs);
    await this.#until(() => isLate || this.#ended === this.#sockets.length);
    clearTimeout(timer);
    return this.#ended;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #until(isSo: () => boolean): Promise<void> {
    // Looks once a turn: each of ten thousand streams changes at every event.
    let isDue = false;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        isDue = false;
        if (isSo()) resolve();
      };
      this.#onChange = () => {
        if (isDue) return;
        isDue = true;
        setImmediate(look);
      };
      look();
    });
    this.#onChange = () => undefined;
  }
}

const lastChunk = Buffer.from("0\r\n\r\n");
