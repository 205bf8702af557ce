import { connect } from "node:net";
import type { Socket } from "node:net";
import { demand } from "./misbehaviour.js";

/** An answer as it is on the wire, read strictly. */
export interface HttpAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** False when the answer was still going on. */
  readonly isWhole: boolean;
}

export interface HttpSocket {
  readonly socket: Socket;
  write(bytes: Buffer): void;
  /**
   * Reads answers until there are as many, the server has closed the connection, or the time is over. Then closes the
   * connection.
   */
  answers(count: number, withinMs?: number): Promise<readonly HttpAnswer[]>;
}

/** How long a server may take to answer what it has been sent whole. */
export const patienceMs = 10_000;

export function openHttpSocket(port: number): HttpSocket {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let isClosed = false;
  let onChange = (): void => undefined;
  socket.setNoDelay(true);
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    onChange();
  });
  const end = (): void => {
    isClosed = true;
    onChange();
  };
  socket.on("error", end).on("close", end).on("end", end);
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    answers(count, withinMs = patienceMs) {
      return new Promise((resolve, reject) => {
        const finish = (): void => {
          clearTimeout(timer);
          onChange = () => undefined;
          socket.destroy();
          try {
            resolve(readAnswers(Buffer.concat(chunks)));
          } catch (error) {
            reject(error);
          }
        };
        const timer = setTimeout(finish, withinMs);
        onChange = () => {
          if (isClosed || countWhole(Buffer.concat(chunks)) >= count) finish();
        };
        onChange();
      });
    },
  };
}

function countWhole(bytes: Buffer): number {
  try {
    return readAnswers(bytes).filter(({ isWhole }) => isWhole).length;
  } catch {
    return Infinity;
  }
}

/** Reads one answer after the other. Throws `Misbehaviour` for what is not HTTP. */
export function readAnswers(bytes: Buffer): readonly HttpAnswer[] {
  const answers: HttpAnswer[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) break;
    const head = rest.subarray(0, end).toString("latin1");
    const { status, headers } = readHead(head);
    const { body, size, isWhole } = readBody(rest.subarray(end + 4), status, headers);
    // 100 Continue comes before the answer itself.
    if (status >= 200) answers.push({ status, headers, body, isWhole });
    rest = rest.subarray(end + 4 + size);
    if (!isWhole) break;
  }
  return answers;
}

function readHead(head: string): Pick<HttpAnswer, "status" | "headers"> {
  const [first = "", ...lines] = head.split("\r\n");
  const [, status] = /^HTTP\/1\.1 ([1-5]\d\d) [\t -~]*$/.exec(first) ?? [];
  demand(status !== undefined, () => `not a status line: ${JSON.stringify(first.slice(0, 200))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] =
      /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t -~\u0080-\u00ff]*)$/.exec(line) ?? [];
    demand(name !== undefined, () => `not a header: ${JSON.stringify(line.slice(0, 200))}`);
    headers.set(name.toLowerCase(), (value ?? "").trim());
  }
  return { status: Number(status), headers };
}

interface ReadBody {
  readonly body: Buffer;
  /** How many bytes it took on the wire. */
  readonly size: number;
  readonly isWhole: boolean;
}

function readBody(rest: Buffer, status: number, headers: HttpAnswer["headers"]): ReadBody {
  if (status < 200 || status === 204 || status === 304) {
    return { body: Buffer.alloc(0), size: 0, isWhole: true };
  }
  if (headers.get("transfer-encoding") === "chunked") return readChunks(rest);
  const length = headers.get("content-length");
  if (length === undefined) return { body: rest, size: rest.length, isWhole: true };
  demand(/^\d+$/.test(length), () => `not a length: ${length}`);
  const body = rest.subarray(0, Number(length));
  return { body, size: body.length, isWhole: body.length === Number(length) };
}

function readChunks(rest: Buffer): ReadBody {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = rest.indexOf("\r\n", at);
    if (end === -1) return { body: Buffer.concat(chunks), size: rest.length, isWhole: false };
    const line = rest.subarray(at, end).toString("latin1");
    demand(/^[\da-f]+$/i.test(line), () => `not a chunk: ${JSON.stringify(line.slice(0, 50))}`);
    const length = Number.parseInt(line, 16);
    const next = end + 2 + length + 2;
    if (rest.length < next)
      return { body: Buffer.concat(chunks), size: rest.length, isWhole: false };
    if (length === 0) return { body: Buffer.concat(chunks), size: next, isWhole: true };
    chunks.push(rest.subarray(end + 2, end + 2 + length));
    at = next;
  }
}
