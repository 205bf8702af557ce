import { once } from "node:events";
import { createServer } from "node:http2";
import type { Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import { bareCard } from "../bare-card.js";
import { runVictim } from "./run-victim.js";
import type { VictimTask } from "./run-victim.js";

const mebibyte = 1024 * 1024;
const maxAnswerBytes = 4 * mebibyte;

/** A message of gRPC: whether it is compressed, its length, its bytes. */
function frameOf(bytes: Buffer, { isGzip = false, length = bytes.length } = {}): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(isGzip ? 1 : 0, 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
}

interface EvilGrpc extends AsyncDisposable {
  readonly address: string;
  readonly requests: number;
}

/** Opens a server that answers every call with the same bytes, so often, and says that they are compressed. */
async function openEvilGrpc(frame: Buffer, times = 1): Promise<EvilGrpc> {
  let requests = 0;
  const server = createServer();
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => sessions.add(session));
  server.on("stream", (stream) => {
    requests += 1;
    stream.on("error", () => undefined);
    stream.respond(
      { ":status": 200, "content-type": "application/grpc", "grpc-encoding": "gzip" },
      { waitForTrailers: true },
    );
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    let left = times;
    const write = (): void => {
      while (left > 0 && !stream.destroyed) {
        left -= 1;
        if (!stream.write(frame)) return;
      }
      stream.end();
    };
    stream.on("drain", write);
    write();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const bomb = frameOf(gzipSync(Buffer.alloc(128 * mebibyte)), { isGzip: true });
const endless = frameOf(Buffer.alloc(mebibyte), { length: 2 ** 32 - 1 });
const long = frameOf(Buffer.alloc(5 * mebibyte));

describe("over gRPC a program with 64 MB lives and refuses at once:", () => {
  it.each<[string, VictimTask["call"], string, Buffer]>([
    ["an answer that is too long", "task", "maxAnswerBytes", long],
    ["an answer without end", "task", "maxAnswerBytes", endless],
    ["an answer that swells", "task", "maxAnswerBytes", bomb],
    ["an answer to a message that swells", "send", "maxAnswerBytes", bomb],
    ["an event that is too long", "watch", "maxEventBytes", long],
    ["an event that swells", "watch", "maxEventBytes", bomb],
    ["an event that swells, answering a message", "text", "maxEventBytes", bomb],
  ])("%s", async (_, call, limit, frame) => {
    await using evil = await openEvilGrpc(frame);
    const options = { maxAnswerBytes };
    const report = await runVictim({ call, url: evil.address, binding: "GRPC", options });
    expect(report.died).toBeUndefined();
    expect(report.error).toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      message: expect.stringContaining(limit),
      details: { metadata: { problem: limit } },
    });
    expect(report.megabytes).toBeLessThan(256);
    expect(evil.requests).toBe(1);
  });

  it("a task that grows by one chunk after the other", async () => {
    const part = field(1, Buffer.alloc(1000, "x"));
    const artifact = Buffer.concat([field(1, Buffer.from("a")), field(4, part)]);
    const update = Buffer.concat([
      field(1, Buffer.from("t")),
      field(2, Buffer.from("c")),
      field(3, artifact),
      Buffer.from([0x20, 1]),
    ]);
    const frames = Buffer.concat(Array.from({ length: 50 }, () => frameOf(field(4, update))));
    await using evil = await openEvilGrpc(frames, 4000);
    const options = { maxAnswerBytes };
    const report = await runVictim({ call: "text", url: evil.address, binding: "GRPC", options });
    expect(report.error).toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      details: { metadata: { problem: "maxAnswerBytes" } },
    });
    expect(report.megabytes).toBeLessThan(256);
  });
});

it("admits over gRPC what the limits of connect() admit, and an event of its own size", async () => {
  await using evil = await openEvilGrpc(frameOf(Buffer.alloc(2 * mebibyte)));
  const card = bareCard(evil.address, "GRPC", { capabilities: { streaming: true } });
  const transports = grpcTransports();
  const read = async (options: object): Promise<unknown> => {
    const agent = await connect(card, { transports, ...options });
    return agent.task("t").catch((error: unknown) => error);
  };
  const tooLarge = { details: { metadata: { problem: "maxAnswerBytes" } } };
  expect(await read({ maxAnswerBytes: mebibyte })).toMatchObject(tooLarge);
  expect(await read({ maxAnswerBytes: mebibyte, maxEventBytes: 3 * mebibyte })).toMatchObject(
    tooLarge,
  );
  expect(await read({ maxAnswerBytes: 3 * mebibyte })).not.toMatchObject(tooLarge);
  const agent = await connect(card, { transports, maxEventBytes: mebibyte });
  const events = agent.watch("t");
  await expect(events.next()).rejects.toMatchObject({
    details: { metadata: { problem: "maxEventBytes" } },
  });
});

/** A field of a protobuf message that has a length. */
function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = bytes.length; rest > 0 || length.length === 0; rest >>>= 7) {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  }
  return Buffer.concat([Buffer.from([number * 8 + 2, ...length]), bytes]);
}
