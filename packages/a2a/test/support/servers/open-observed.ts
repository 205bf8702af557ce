import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentService, CallContext } from "@parley/a2a";
import { createNodeListener } from "@parley/a2a/node";
import { openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { extendedDemoAgent, forAnyone } from "./open-demo.js";

/** A call as the server understood it. */
interface ObservedCall {
  readonly operation: string;
  readonly dialect: string | undefined;
  readonly tenant: string | undefined;
}

export interface Observed extends AsyncDisposable {
  readonly url: string;
  /** In the order of their arrival. */
  readonly calls: readonly ObservedCall[];
}

/** Serves the demo agent under a path and a tenant, and records each call. */
export async function openObserved(path: string, tenant?: string): Promise<Observed> {
  const calls: ObservedCall[] = [];
  let url = "";
  const runtime = await openRuntime({
    agent: extendedDemoAgent(() => url),
    store: createMemoryStore(),
    settings: forAnyone,
  });
  const agent = { ...runtime, service: observe(runtime, calls) };
  const mounts = [{ agent, path, ...(tenant !== undefined && { tenant }) }];
  const listener = createNodeListener({ mounts });
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    url,
    calls,
    async [Symbol.asyncDispose]() {
      void listener.drain();
      server.closeAllConnections();
      server.close();
      await runtime.close();
    },
  };
}

function observe(service: AgentService, calls: ObservedCall[]): AgentService {
  return new Proxy(service, {
    get(target, operation: keyof AgentService) {
      const method = target[operation] as (request: object, call: CallContext) => unknown;
      return (request: object, call: CallContext) => {
        calls.push({ operation, dialect: call.dialect, tenant: call.tenant });
        return method.call(target, request, call);
      };
    },
  });
}
