import { connect } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { onTestFinished } from "vitest";

/** A connection that sends what it likes. */
export class RawPeer {
  readonly session: ClientHttp2Session;

  constructor(port: number) {
    // In MB: what this side has to send must not keep it from sending more.
    const options = { maxSessionMemory: 10_000 };
    this.session = connect(`http://127.0.0.1:${port}`, options).on("error", () => {});
    // Node 20 never returns from `destroy` within the event that closes a stream.
    onTestFinished(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      this.session.destroy();
    });
  }

  /** Begins a call, and leaves it open. */
  begin(headers: Readonly<Record<string, string>> = {}, method = "SendMessage"): RawCall {
    const stream = this.session.request({
      ":method": "POST",
      ":path": method.startsWith("/") ? method : `/lf.a2a.v1.A2AService/${method}`,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    return new RawCall(stream);
  }
}

export class RawCall {
  readonly stream: ClientHttp2Stream;
  /** The status; -1 if the stream, or its connection, has ended without one. */
  readonly status: Promise<number>;
  readonly details: Promise<string>;

  constructor(stream: ClientHttp2Stream) {
    this.stream = stream;
    let told: { code: number; details: string } | undefined;
    const note = (headers: object): void => {
      const code = (headers as Record<string, string>)["grpc-status"];
      const details = (headers as Record<string, string>)["grpc-message"] ?? "";
      if (code !== undefined) told ??= { code: Number(code), details: decodeURI(details) };
    };
    const ended = new Promise<{ code: number; details: string }>((resolve) => {
      stream.on("close", () => resolve(told ?? { code: -1, details: "" }));
    });
    stream
      .on("response", note)
      .on("trailers", note)
      .on("error", () => {});
    stream.resume();
    this.status = ended.then(({ code }) => code);
    this.details = ended.then(({ details }) => details);
  }

  /** Sends bytes as they are. */
  write(bytes: Uint8Array): this {
    this.stream.write(bytes);
    return this;
  }

  end(bytes?: Uint8Array): this {
    if (bytes === undefined) this.stream.end();
    else this.stream.end(bytes);
    return this;
  }
}

/** A message behind its length, or behind a greater one. */
export function framed(message: Uint8Array, length: number = message.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

/** A field of a message. */
export function field(number: number, content: Uint8Array): Buffer {
  const head = [(number << 3) | 2];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      head.push(rest);
      break;
    }
    head.push((rest % 128) | 128);
  }
  return Buffer.concat([Buffer.from(head), content]);
}

/** A SendMessageRequest of 1.0 whose message has as many empty parts as fit into that many bytes. */
export function emptyParts(bytes: number): Buffer {
  return framed(field(2, Buffer.alloc(bytes, Buffer.from([0x2a, 0]))));
}

/** A SendMessageRequest of 1.0 that an agent answers. */
export function saying(text: string, tenant?: string): Buffer {
  const part = field(5, field(1, Buffer.from(text)));
  const message = field(
    2,
    Buffer.concat([field(1, Buffer.from("m1")), Buffer.from([32, 1]), part]),
  );
  const named = tenant === undefined ? [] : [field(1, Buffer.from(tenant))];
  return framed(Buffer.concat([...named, message]));
}
