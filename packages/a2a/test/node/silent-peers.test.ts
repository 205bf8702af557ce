import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "@parley/a2a/node";
import type { ServeOptions } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { readTls } from "../support/files/tls.js";

const any = agent({ name: "Any", description: "Any", run: () => "" });

/** Someone who connects, and from then on neither speaks, nor reads, nor hangs up. */
async function openSilence(port: number): Promise<() => boolean> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.pause();
  return () => socket.writable;
}

it.each<readonly [string, () => Promise<ServeOptions>]>([
  ["plain connections", () => Promise.resolve({})],
  [
    "connections that have not shaken hands",
    async () => ({
      tls: { key: readTls("localhost-key"), cert: readTls("localhost-cert") },
    }),
  ],
])("stops after its grace though peers of %s are gone without a word", async (_, options) => {
  const serving = await serve(any, {
    port: 0,
    grpc: { port: 0 },
    store: createMemoryStore(),
    drainMs: 100,
    ...(await options()),
  });
  const grpcPort = Number(serving.grpcAddress?.split(":").at(-1));
  const silences = [await openSilence(serving.port), await openSilence(grpcPort)];
  expect(silences.map((isOpen) => isOpen())).toEqual([true, true]);
  await serving.close();
});
