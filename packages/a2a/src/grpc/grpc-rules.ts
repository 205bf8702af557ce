import { bindingRules, grpcBoundRules } from "../binding/internal.js";
import { callback, fields, flag, port, secret, text, timerMs } from "../options/internal.js";
import type { Rule, Rules } from "../options/internal.js";
import type { GrpcServerOptions } from "./grpc-server-options.js";
import type { GrpcTls } from "./tls.js";

const pem: Rule = secret((value) =>
  value instanceof Uint8Array ? undefined : "a Buffer with PEM, such as await readFile(path)",
);

const tls: Rules<GrpcTls> = {
  key: pem,
  certificate: pem,
  rootCertificates: pem,
  requiresClientCertificate: flag,
};

/** What a gRPC server may be given. */
export const grpcRules: Rules<GrpcServerOptions> = {
  ...bindingRules,
  port,
  host: text('an address, such as "127.0.0.1"'),
  tls: fields(tls, ["key", "certificate"]),
  drainMs: timerMs(0),
  keepaliveMs: timerMs(1),
  isReady: callback,
  healthCheckMs: timerMs(1),
  reflection: flag,
  ...grpcBoundRules,
};
