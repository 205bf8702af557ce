import type { Socket } from "node:net";
import { openSocket } from "../open-socket.js";

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const headerLength = 9;
const maxWindow = 2 ** 31 - 1;

/** The types of the HTTP/2 frames that the load reads or writes (RFC 9113, 6). */
const types = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, windowUpdate: 8 };
const endStream = 0x1;
const endHeaders = 0x4;
const acknowledged = 0x1;

/**
 * A connection that makes gRPC calls from prepared bytes and reads only the frame headers of the answers, so that
 * the server, and not the load, limits the rate.
 */
export class GrpcConnection {
  readonly #socket: Socket;
  readonly #calls: Map<number, { bytes: number; readonly onEnd: (bytes: number) => void }> =
    new Map();
  #pending: Buffer = Buffer.alloc(0);
  #nextStream = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (data: Buffer) => this.#read(data));
    const settings = Buffer.alloc(6);
    // SETTINGS_INITIAL_WINDOW_SIZE: the server may send any amount on a stream without waiting.
    settings.writeUInt16BE(4, 0);
    settings.writeUInt32BE(maxWindow, 2);
    const window = Buffer.alloc(4);
    window.writeUInt32BE(maxWindow - 65_535, 0);
    const frames = [frame(types.settings, 0, 0, settings), frame(types.windowUpdate, 0, 0, window)];
    socket.write(Buffer.concat([preface, ...frames]));
  }

  static async open(port: number): Promise<GrpcConnection> {
    return new GrpcConnection(await openSocket(port));
  }

  /** Makes a call and returns how many bytes of messages came before its trailers. */
  call({ head, message }: GrpcCall): Promise<number> {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    return new Promise((onEnd) => {
      this.#calls.set(stream, { bytes: 0, onEnd });
      this.#socket.write(
        Buffer.concat([
          frame(types.headers, endHeaders, stream, head),
          frame(types.data, endStream, stream, message),
        ]),
      );
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    const bytes = this.#pending.length === 0 ? data : Buffer.concat([this.#pending, data]);
    let offset = 0;
    while (offset + headerLength <= bytes.length) {
      const end = offset + headerLength + bytes.readUIntBE(offset, 3);
      if (end > bytes.length) break;
      this.#take(bytes, offset, end);
      offset = end;
    }
    this.#pending = bytes.subarray(offset);
  }

  #take(bytes: Buffer, offset: number, end: number): void {
    const type = bytes[offset + 3];
    const flags = bytes[offset + 4] ?? 0;
    const stream = bytes.readUInt32BE(offset + 5);
    if (type === types.settings && (flags & acknowledged) === 0) {
      this.#socket.write(frame(types.settings, acknowledged, 0, Buffer.alloc(0)));
    }
    if (type === types.ping && (flags & acknowledged) === 0) {
      const payload = bytes.subarray(offset + headerLength, end);
      this.#socket.write(frame(types.ping, acknowledged, 0, payload));
    }
    if (type === types.reset || type === types.goAway) throw new Error("the server broke it off");
    const call = this.#calls.get(stream);
    if (call === undefined) return;
    if (type === types.data) call.bytes += end - offset - headerLength;
    if ((type !== types.data && type !== types.headers) || (flags & endStream) === 0) return;
    this.#calls.delete(stream);
    call.onEnd(call.bytes);
  }
}

/** A call as bytes. */
export interface GrpcCall {
  readonly head: Buffer;
  readonly message: Buffer;
}

/** Builds a call of a method from an encoded message. */
export function encodeCall(path: string, message: Uint8Array): GrpcCall {
  const head = [
    [":method", "POST"],
    [":scheme", "http"],
    [":authority", "127.0.0.1"],
    [":path", path],
    ["content-type", "application/grpc"],
    ["te", "trailers"],
    ["a2a-version", "1.0"],
  ].map(([name = "", value = ""]) =>
    // A literal header field without indexing (RFC 7541, 6.2.2), without Huffman coding.
    Buffer.concat([Buffer.from([0]), text(name), text(value)]),
  );
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return { head: Buffer.concat(head), message: Buffer.concat([prefix, message]) };
}

function text(value: string): Buffer {
  if (value.length > 126) throw new Error(`${value} is too long`);
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value, "latin1")]);
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(headerLength);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
