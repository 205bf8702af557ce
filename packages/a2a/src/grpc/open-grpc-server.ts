import { optionsOf } from "../binding/internal.js";
import { listenError, withDefaults } from "../options/internal.js";
import type { MountableAgent } from "../protocol/internal.js";
import { defaultBounds, messageBytesOf } from "./grpc-bounds.js";
import { grpcRules } from "./grpc-rules.js";
import type { GrpcServerOptions } from "./grpc-server-options.js";
import { statusOf, unknownMethod } from "./error-map.js";
import { GrpcHandler } from "./handler.js";
import { HealthService } from "./health.js";
import { openHttp2Server } from "./http2/open-http2-server.js";
import type { CallStatus, ServerCall } from "./http2/server-call.js";
import { reflectionMethods } from "./reflection.js";
import { secureOptions } from "./tls.js";

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
  const { tls, limits, isReady, healthCheckMs: everyMs, reflection = true } = options;
  const bounds = withDefaults(defaultBounds, options);
  const handler = new GrpcHandler({ ...options, maxElements: bounds.maxElements });
  const { services } = handler;
  const health = new HealthService(services, { isReady, everyMs });
  const methods = new Map([...handler.methods(), ...health.methods()]);
  if (reflection) {
    const listed = [...services, "grpc.health.v1.Health"];
    const admit = (call: ServerCall): Promise<CallStatus | undefined> => handler.refusalOf(call);
    for (const [path, method] of reflectionMethods(listed, admit)) methods.set(path, method);
  }
  const server = await openHttp2Server(methods, {
    ...bounds,
    port,
    host,
    drainMs,
    keepaliveMs,
    tls: tls && secureOptions(tls),
    messageBytes: messageBytesOf(bounds, limits),
    statusOf,
    otherwise: (call) => call.end(unknownMethod(call.path)),
  }).catch((error: unknown) => {
    throw listenError(error, { host, port, portOption });
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    health.stop();
    handler.drain();
    return (closing ??= server.close());
  };
  return { port: server.port, close, [Symbol.asyncDispose]: close };
}
