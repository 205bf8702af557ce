import { createServer } from "node:net";
import type { AddressInfo, Server as Listener, Socket } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { defaultLimits } from "../protocol/internal.js";
import { service as service03 } from "./gen/a2a-v1.js";
import { service as service10 } from "./gen/lf-a2a-v1.js";
import { GrpcHandler } from "./handler.js";
import { HealthService } from "./health.js";
import type { GrpcOptions } from "./grpc-options.js";
import { registerReflection } from "./reflection.js";
import { secureCredentials } from "./secure-credentials.js";
import type { GrpcTls } from "./secure-credentials.js";

/** The agents that a server offers over gRPC, and how it serves them. */
export interface GrpcServerOptions extends GrpcOptions {
  /** 4101 when absent; 0 for any that is free. */
  readonly port?: number;
  /** The loopback address when absent. */
  readonly host?: string;
  readonly tls?: GrpcTls;
  /** How long calls under way may take to end when the server stops. */
  readonly drainMs?: number;
  /** Silence on a connection after which it is asked whether it is still there. */
  readonly keepaliveMs?: number;
  /** False while what is behind the server cannot answer, for the health service to say. */
  readonly isReady?: () => Promise<boolean>;
  /** How often the health service asks that for those who watch it; every 5 s when absent. */
  readonly healthCheckMs?: number;
  /** Whether tools may ask what is served. */
  readonly reflection?: boolean;
}

/** A gRPC server at work. */
export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
  /** Takes no more calls, ends streams, and waits for the calls under way. */
  close(): Promise<void>;
}

/**
 * Serves agents over gRPC, in both versions that have it.
 *
 * @example
 * const runtime = await openRuntime({ agent: echo, store });
 * const server = await openGrpcServer({ mounts: [{ agent: runtime.hosted }] });
 */
export async function openGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { port = 4101, host = "127.0.0.1", drainMs = 1000, keepaliveMs = 60_000 } = options;
  const { maxBodyBytes } = options.limits ?? defaultLimits;
  const server = new Server({
    "grpc.max_receive_message_length": maxBodyBytes,
    // What an agent answers is bounded where it is kept; a reader sets its own limit.
    "grpc.max_send_message_length": -1,
    "grpc.keepalive_time_ms": keepaliveMs,
    "grpc.keepalive_timeout_ms": 20_000,
    // Statistics that nobody here asks for, taken for every message.
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
  // Connections are taken here, for grpc-js cannot part from one whose other end is gone without a word.
  const injector = server.createConnectionInjector(credentialsOf(options.tls));
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    injector.injectConnection(socket);
  });
  await listen(listener, port, host);

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
