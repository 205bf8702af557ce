import type { Socket } from "node:net";
import { openSocket } from "../open-socket.js";

const headerEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * A connection that sends one request after the other and looks only for the end of each answer, so that the
 * server, and not the load, limits the rate.
 */
export class Connection {
  readonly #socket: Socket;
  /** What has come of an answer whose headers are not complete. */
  #head: Buffer | undefined;
  #hasHeaders = false;
  /** How many bytes of the answer are missing; `undefined` for a chunked answer. */
  #missing: number | undefined;
  /** The last bytes of a chunked answer. */
  #tail: Buffer = Buffer.alloc(0);
  #kept: Buffer[] | undefined;
  #onAnswer: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (data: Buffer) => this.#read(data));
    socket.on("close", () => {
      if (this.#onAnswer !== undefined) throw new Error("the server closed the connection");
    });
  }

  static async open(port: number): Promise<Connection> {
    return new Connection(await openSocket(port));
  }

  /** Sends a request. Calls back once the whole answer has come. */
  send(request: Buffer, onAnswer: () => void): void {
    if (this.#socket.closed) throw new Error("the server has closed an idle connection");
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  exchange(request: Buffer): Promise<void> {
    return new Promise((resolve) => this.send(request, resolve));
  }

  /** Sends a request and returns the whole answer, headers included. */
  async read(request: Buffer): Promise<string> {
    this.#kept = [];
    await this.exchange(request);
    const text = Buffer.concat(this.#kept).toString();
    this.#kept = undefined;
    return text;
  }

  close(): void {
    this.#onAnswer = undefined;
    this.#socket.destroy();
  }

  /** Looks at each byte at most once: the load takes processor time from the server on the same machine. */
  #read(data: Buffer): void {
    this.#kept?.push(data);
    if (!this.#hasHeaders) this.#readHeaders(data);
    else if (this.#missing !== undefined) this.#missing -= data.length;
    if (!this.#isWhole(data)) return;
    const onAnswer = this.#onAnswer;
    this.#hasHeaders = false;
    this.#missing = undefined;
    this.#tail = Buffer.alloc(0);
    this.#onAnswer = undefined;
    onAnswer?.();
  }

  #readHeaders(data: Buffer): void {
    const received = this.#head === undefined ? data : Buffer.concat([this.#head, data]);
    const end = received.indexOf(headerEnd);
    this.#head = end === -1 ? received : undefined;
    if (end === -1) return;
    this.#hasHeaders = true;
    const length = /\r\ncontent-length: (\d+)/i.exec(received.toString("latin1", 0, end))?.[1];
    if (length !== undefined) {
      this.#missing = end + headerEnd.length + Number(length) - received.length;
    }
  }

  #isWhole(data: Buffer): boolean {
    if (!this.#hasHeaders) return false;
    if (this.#missing !== undefined) return this.#missing <= 0;
    this.#tail =
      data.length >= lastChunk.length ? data : Buffer.concat([this.#tail.subarray(-4), data]);
    return this.#tail.subarray(-lastChunk.length).equals(lastChunk);
  }
}
