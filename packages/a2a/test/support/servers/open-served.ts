import { serve } from "@parley/a2a/node";
import type { ServeOptions, Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { extendedDemoAgent, forAnyone } from "./open-demo.js";

/** Opens a server of the demo agent over HTTP and gRPC, on free ports, with its tasks in memory. */
export async function openServed(options: ServeOptions = {}): Promise<Server> {
  const serving: Server = await serve(
    extendedDemoAgent(() => serving.url),
    {
      port: 0,
      grpc: { port: 0 },
      store: createMemoryStore(),
      ...options,
      settings: { ...forAnyone, ...options.settings },
    },
  );
  return serving;
}

/** The address of the gRPC server. */
export function addressOf({ grpcAddress }: Server): string {
  if (grpcAddress === undefined) throw new Error("gRPC is not served");
  return grpcAddress;
}
