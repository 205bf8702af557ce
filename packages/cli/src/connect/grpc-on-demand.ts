import type { ChannelCredentials } from "@grpc/grpc-js";
import { callOnce, callStream, createService } from "@parley/a2a";
import type { AgentService } from "@parley/a2a";
import type { TransportFactory } from "@parley/a2a/client";
import type { ClientCertificate } from "./client-certificate.js";

/** The transport for gRPC, which is loaded with the first call, and closed at the end. */
export interface GrpcOnDemand extends Disposable {
  readonly open: TransportFactory;
}

export interface GrpcOnDemandOptions {
  /** Wraps the transport, to see its calls. */
  readonly wrap?: ((service: AgentService) => AgentService) | undefined;
  /** Does not check certificates of servers. */
  readonly isInsecure?: boolean;
  /** The caller's own, presented to its host. */
  readonly certificate?: ClientCertificate | undefined;
}

/** Creates a transport for gRPC that loads its libraries when an agent is called by it. */
export function grpcOnDemand({
  wrap = (service) => service,
  ...trust
}: GrpcOnDemandOptions = {}): GrpcOnDemand {
  const opened: Disposable[] = [];
  const factory: TransportFactory = (chosen, source) => {
    let service: Promise<AgentService> | undefined;
    const open = (): Promise<AgentService> =>
      (service ??= import("@parley/a2a/grpc").then(async ({ grpcTransports }) => {
        const credentials = isTls(chosen.url, source.cardUrl)
          ? await credentialsFor(chosen.url, trust)
          : undefined;
        const options = credentials === undefined ? {} : { credentials };
        const transport = grpcTransports(options).GRPC(chosen, source);
        opened.push(transport);
        return wrap(transport);
      }));
    return createService(
      async (operation, request, call) => callOnce(await open(), operation, request, call),
      async function* stream(operation, request, call) {
        yield* callStream(await open(), operation, request, call);
      },
    );
  };
  return {
    open: factory,
    [Symbol.dispose]() {
      for (const one of opened.splice(0)) one[Symbol.dispose]();
    },
  };
}

/** Whether an address is called over TLS: as its scheme says, else as the URL of the card does. */
function isTls(address: string, cardUrl = ""): boolean {
  return /^(?:https|grpcs):/i.test(/^\w+:\/\//.test(address) ? address : cardUrl);
}

/** Credentials other than the usual ones: with the caller's certificate, without checks of the server's. */
async function credentialsFor(
  address: string,
  { isInsecure = false, certificate }: Omit<GrpcOnDemandOptions, "wrap">,
): Promise<ChannelCredentials | undefined> {
  const isOwn = certificate !== undefined && (await isFor(certificate, address));
  if (!isInsecure && !isOwn) return undefined;
  const { ChannelCredentials } = await import("@grpc/grpc-js");
  const { cert = null, key = null } = isOwn ? certificate : {};
  const checkServerIdentity = (): undefined => undefined;
  const unchecked = { rejectUnauthorized: false, checkServerIdentity };
  return ChannelCredentials.createSsl(null, key, cert, isInsecure ? unchecked : {});
}

async function isFor(certificate: ClientCertificate, address: string): Promise<boolean> {
  return (await import("./client-certificate.js")).isForHost(certificate, address);
}
