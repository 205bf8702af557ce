import { callOnce, callStream, createService } from "@parley/a2a";
import type { AgentService } from "@parley/a2a";
import type { TransportFactory } from "@parley/a2a/client";

/** The transport for gRPC, which is loaded with the first call, and closed at the end. */
export interface GrpcOnDemand extends Disposable {
  readonly open: TransportFactory;
}

/** Creates a transport for gRPC that loads its libraries when an agent is called by it. */
export function grpcOnDemand(
  wrap: (service: AgentService) => AgentService = (service) => service,
): GrpcOnDemand {
  let close = (): void => undefined;
  const open: TransportFactory = (chosen, source) => {
    let opened: Promise<AgentService> | undefined;
    const service = (): Promise<AgentService> =>
      (opened ??= import("@parley/a2a/grpc").then(({ grpcTransports }) => {
        const transport = grpcTransports().GRPC(chosen, source);
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
