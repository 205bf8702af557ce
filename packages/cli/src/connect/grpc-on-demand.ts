import type { ChannelCredentials } from "@grpc/grpc-js";
import { callOnce, callStream, createService } from "@parley/a2a";
import type { AgentService } from "@parley/a2a";
import type { TransportFactory } from "@parley/a2a/client";

/** The transport for gRPC, which is loaded with the first call, and closed at the end. */
export interface GrpcOnDemand extends Disposable {
  readonly open: TransportFactory;
}

export interface GrpcOnDemandOptions {
  /** Wraps the transport, to see its calls. */
  readonly wrap?: ((service: AgentService) => AgentService) | undefined;
  /** Does not check certificates. */
  readonly isInsecure: boolean;
}

/** Creates a transport for gRPC that loads its libraries when an agent is called by it. */
export function grpcOnDemand({
  wrap = (service) => service,
  isInsecure,
}: GrpcOnDemandOptions): GrpcOnDemand {
  let close = (): void => undefined;
  const open: TransportFactory = (chosen, source) => {
    let opened: Promise<AgentService> | undefined;
    const service = (): Promise<AgentService> =>
      (opened ??= import("@parley/a2a/grpc").then(async ({ grpcTransports }) => {
        const isUnchecked = isInsecure && isTls(chosen.url, source.cardUrl);
        const options = isUnchecked ? { credentials: await uncheckedCredentials() } : {};
        const transport = grpcTransports(options).GRPC(chosen, source);
        close = () => transport.close();
        return wrap(transport);
      }));
    return createService(
      async (operation, request, call) => callOnce(await service(), operation, request, call),
      async function* stream(operation, request, call) {
        yield* callStream(await service(), operation, request, call);
      },
    );
  };
  return { open, [Symbol.dispose]: () => close() };
}

/** Whether an address is called over TLS: as its scheme says, else as the URL of the card does. */
function isTls(address: string, cardUrl = ""): boolean {
  return /^(?:https|grpcs):/i.test(/^\w+:\/\//.test(address) ? address : cardUrl);
}

async function uncheckedCredentials(): Promise<ChannelCredentials> {
  const { ChannelCredentials } = await import("@grpc/grpc-js");
  const checkServerIdentity = (): undefined => undefined;
  return ChannelCredentials.createSsl(null, null, null, {
    rejectUnauthorized: false,
    checkServerIdentity,
  });
}
