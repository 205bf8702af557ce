import type { ServerOptions as TlsOptions } from "node:https";
import type * as Grpc from "../grpc/internal.js";
import type { GrpcServer, GrpcTls } from "../grpc/internal.js";
import type { Mount } from "../binding/internal.js";
import type { HttpOptions } from "../http/internal.js";
import { pick } from "../options/internal.js";
import { authoritiesOf } from "./client-certificates.js";
import { reachableName } from "./node-address.js";
import type { ServeGrpcOptions } from "./serve-grpc-options.js";
import type { Timeouts } from "./web-server.js";

/** A gRPC server, and its address. */
export interface AddressedGrpcServer extends GrpcServer {
  /** The address at which callers reach it, as `host:port`. */
  readonly address: string;
}

/** What the gRPC server has in common with the HTTP server beside it. */
interface CommonOptions extends Omit<HttpOptions, "mounts"> {
  readonly host: string;
  readonly drainMs: number;
  readonly isReady: () => Promise<boolean>;
  readonly tls?: TlsOptions;
  readonly timeouts?: Timeouts;
}

/** Opens the gRPC server. */
export async function serveGrpc(
  mounts: readonly Mount[],
  given: ServeGrpcOptions,
  common: CommonOptions,
): Promise<AddressedGrpcServer> {
  const { startGrpcServer } = await loadGrpc();
  const { port = 4101, tls, inCard: _, ...bounds } = given;
  const { host, drainMs, isReady, publicUrl } = common;
  const certificates = certificatesOf(common.tls, tls);
  const options = {
    ...pick(common.timeouts ?? {}, ["requestMs"]),
    ...bounds,
    mounts,
    port,
    host,
    drainMs,
    isReady,
    ...pick(common, [
      "limits",
      "strict",
      "fileBytes",
      "reportFailure",
      "trustsProxy",
      "telemetry",
      "trustTraceparent",
    ]),
    ...(certificates !== undefined && { tls: certificates }),
  };
  const server = await startGrpcServer(options, "{ grpc: { port } }");
  const name = publicUrl === undefined ? reachableName(host) : new URL(publicUrl).hostname;
  return {
    ...server,
    address: `${name.includes(":") && !name.startsWith("[") ? `[${name}]` : name}:${server.port}`,
  };
}

/** Loads gRPC on demand: its packages are optional. Throws if they are not installed. */
export async function loadGrpc(): Promise<typeof Grpc> {
  try {
    return await import("../grpc/internal.js");
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    const message = "gRPC needs two more packages: npm install @grpc/grpc-js protobufjs";
    throw new Error(message, { cause: error });
  }
}

/** Key and certificate: those for gRPC, else those of HTTP. The authorities for callers are those of HTTP. */
function certificatesOf(
  tls: TlsOptions | undefined,
  own: ServeGrpcOptions["tls"],
): GrpcTls | undefined {
  const asks = tls?.requestCert === true ? { rootCertificates: authoritiesOf(tls) } : {};
  if (own !== undefined || tls === undefined) return own && { ...asks, ...own };
  const { key, cert } = tls;
  const isPlain = (value: unknown): value is string | Buffer =>
    typeof value === "string" || Buffer.isBuffer(value);
  if (!isPlain(key) || !isPlain(cert)) {
    throw new Error("gRPC needs one key and one certificate; give them as grpc.tls");
  }
  return { key: Buffer.from(key), certificate: Buffer.from(cert), ...asks };
}
