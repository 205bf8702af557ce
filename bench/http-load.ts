import type { Socket } from "node:net";
import { openSocket } from "./open-socket.js";

const headerEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * A connection that sends one request after the other and looks only for the end of each answer, so that the
 * server, and not the load, limits the rate.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  /** How many bytes of the answer are missing, once its headers have arrived; `undefined` for a chunked answer. */
  #missing: number | undefined;
  #hasHeaders = false;
  #onAnswer: ((text: Buffer) => void) | undefined;

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

  /** Sends a request and returns the whole answer, headers included. */
  exchange(request: Buffer): Promise<Buffer> {
    if (this.#socket.closed) throw new Error("the server has closed an idle connection");
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Looks at each byte once: the load takes processor time from the server on the same machine. */
  #read(data: Buffer): void {
    this.#received.push(data);
    if (this.#hasHeaders) {
      if (this.#missing !== undefined) this.#missing -= data.length;
    } else {
      this.#readHeaders(Buffer.concat(this.#received));
    }
    if (!this.#isWhole()) return;
    const answer = Buffer.concat(this.#received);
    const onAnswer = this.#onAnswer;
    this.#received = [];
    this.#hasHeaders = false;
    this.#missing = undefined;
    this.#onAnswer = undefined;
    onAnswer?.(answer);
  }

  #readHeaders(received: Buffer): void {
    const end = received.indexOf(headerEnd);
    if (end === -1) return;
    this.#hasHeaders = true;
    const length = /\r\ncontent-length: (\d+)/i.exec(received.toString("latin1", 0, end))?.[1];
    if (length !== undefined) {
      this.#missing = end + headerEnd.length + Number(length) - received.length;
    }
  }

  #isWhole(): boolean {
    if (!this.#hasHeaders) return false;
    if (this.#missing !== undefined) return this.#missing <= 0;
    const last = this.#received.at(-1);
    const tail =
      last !== undefined && last.length >= lastChunk.length
        ? last
        : Buffer.concat(this.#received.slice(-lastChunk.length));
    return tail.subarray(-lastChunk.length).equals(lastChunk);
  }
}

/** Keeps every connection busy for a while, then waits for the last answers. */
export async function countAnswers(
  connections: readonly Connection[],
  requestOf: (connection: number) => Buffer,
  forMs: number,
): Promise<{ readonly answers: number; readonly seconds: number }> {
  const start = performance.now();
  let answers = 0;
  const work = connections.map(async (connection, index) => {
    const request = requestOf(index);
    do {
      await connection.exchange(request);
      answers += 1;
    } while (performance.now() - start < forMs);
  });
  await Promise.all(work);
  return { answers, seconds: (performance.now() - start) / 1000 };
}

/** Builds an HTTP/1.1 request, whose connection stays open by default. */
export function encodeRequest(method: string, path: string, body?: object): Buffer {
  const json = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "A2A-Version: 1.0",
    ...(body === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${json}`);
}
