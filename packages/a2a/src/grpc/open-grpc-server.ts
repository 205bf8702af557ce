import { Server, ServerCredentials } from "@grpc/grpc-js";
import { defaultLimits } from "../protocol/index.js";
import { service as service03 } from "./gen/a2a-v1.js";
import { service as service10 } from "./gen/lf-a2a-v1.js";
import { GrpcHandler } from "./handler.js";
import { HealthService } from "./health.js";
import type { GrpcOptions } from "./hosted-agent.js";
import { registerReflection } from "./reflection.js";
import { secureCredentials } from "./secure-credentials.js";
import type { GrpcTls } from "./secure-credentials.js";

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
  /** Whether tools may ask what is served. */
  readonly reflection?: boolean;
}

/** A gRPC server at work. */
export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
  /** Takes no more calls, ends streams, and waits for the calls under way. */
  close(): Promise<void>;
}

/** Serves agents over gRPC, in both versions that have it. */
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
  const health = new HealthService(services, options.isReady);
  handler.register(server);
  health.register(server);
  if (options.reflection !== false) {
    registerReflection(server, [...services, "grpc.health.v1.Health"]);
  }
  const name = host.includes(":") ? `[${host}]` : host;
  const bound = await bind(server, `${name}:${port}`, options.tls);

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= stop());
  async function stop(): Promise<void> {
    health.stop();
    handler.drain();
    // Not `forceShutdown`, which knows of no connections where there are no statistics of them.
    server.drain(`${name}:${bound}`, drainMs);
    await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  }
  return { port: bound, close, [Symbol.asyncDispose]: close };
}

function bind(server: Server, address: string, tls: GrpcTls | undefined): Promise<number> {
  const credentials =
    tls === undefined ? ServerCredentials.createInsecure() : secureCredentials(tls);
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(bindError(error, address));
    });
  });
}

/** What node says of a port that is taken; grpc-js has it in words only. */
function bindError(error: Error, address: string): Error {
  if (!error.message.includes("EADDRINUSE")) return error;
  const port = Number(/\d+$/.exec(address)?.[0]);
  const taken = new Error(`${address} is in use`, { cause: error });
  return Object.assign(taken, { code: "EADDRINUSE", port });
}
