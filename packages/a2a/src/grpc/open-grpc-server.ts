import { createServer } from "node:net";
import type { AddressInfo, Server as Listener, Socket } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { optionsOf } from "../binding/internal.js";
import { listenError } from "../options/internal.js";
import { defaultLimits } from "../protocol/internal.js";
import type { MountableAgent } from "../protocol/internal.js";
import { service as service03 } from "./gen/a2a-v1.js";
import { service as service10 } from "./gen/lf-a2a-v1.js";
import { grpcRules } from "./grpc-rules.js";
import type { GrpcServerOptions } from "./grpc-server-options.js";
import { GrpcHandler } from "./handler.js";
import { HealthService } from "./health.js";
import { registerReflection } from "./reflection.js";
import { secureCredentials } from "./secure-credentials.js";
import type { GrpcTls } from "./secure-credentials.js";

/** A running gRPC server. */
export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
  /** Takes no more calls, ends streams, and waits for the calls under way. */
  close(): Promise<void>;
}

/**
 * Serves an agent, or several that are mounted, over gRPC, in both versions that have it.
 *
 * @example
 * const runtime = await openRuntime({ agent: echo, store });
 * const server = await openGrpcServer(runtime, { port: 4101 });
 */
export async function openGrpcServer(
  agentOrOptions: MountableAgent | GrpcServerOptions,
  furtherOptions: Omit<GrpcServerOptions, "mounts"> = {},
): Promise<GrpcServer> {
  return startGrpcServer(
    optionsOf("openGrpcServer()", grpcRules, agentOrOptions, furtherOptions),
    "{ port }",
  );
}

/** Serves with options that have been checked. Whoever is told that the port is taken sets it with `portOption`. */
export async function startGrpcServer(
  options: GrpcServerOptions,
  portOption: string,
): Promise<GrpcServer> {
  const { port = 4101, host = "127.0.0.1", drainMs = 1000, keepaliveMs = 60_000 } = options;
  const { maxBodyBytes } = options.limits ?? defaultLimits;
  const server = new Server({
    "grpc.max_receive_message_length": maxBodyBytes,
    // The store bounds what an agent answers, and every client sets a limit of its own.
    "grpc.max_send_message_length": -1,
    "grpc.keepalive_time_ms": keepaliveMs,
    "grpc.keepalive_timeout_ms": 20_000,
    // Channelz would keep statistics of every message, which nobody reads here.
    "grpc.enable_channelz": 0,
  });
  const services = [service10.name, service03.name];
  const handler = new GrpcHandler(options);
  const health = new HealthService(services, {
    isReady: options.isReady,
    everyMs: options.healthCheckMs,
  });
  handler.register(server);
  health.register(server);
  if (options.reflection !== false) {
    registerReflection(server, [...services, "grpc.health.v1.Health"]);
  }
  // This listener owns the sockets: grpc-js cannot close a connection whose other end has vanished.
  const injector = server.createConnectionInjector(credentialsOf(options.tls));
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    injector.injectConnection(socket);
  });
  await listen(listener, port, host).catch((error: unknown) => {
    throw listenError(error, { host, port, portOption });
  });

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= stop());
  async function stop(): Promise<void> {
    health.stop();
    handler.drain();
    const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
    server.tryShutdown(() => undefined);
    const force = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, drainMs);
    await closed;
    clearTimeout(force);
  }
  const { port: bound } = listener.address() as AddressInfo;
  return { port: bound, close, [Symbol.asyncDispose]: close };
}

function credentialsOf(tls: GrpcTls | undefined): ServerCredentials {
  return tls === undefined ? ServerCredentials.createInsecure() : secureCredentials(tls);
}

function listen(listener: Listener, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      listener.off("error", reject);
      resolve();
    });
  });
}
