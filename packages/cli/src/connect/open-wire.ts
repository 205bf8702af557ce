import type { AgentService } from "@parley/a2a";
import type { ConnectOptions, Fetch, Interceptor } from "@parley/a2a/client";
import type { Invocation } from "../options/define-command.js";
import { textLine } from "../output/text-form.js";
import type { ConnectOption } from "./connect-options.js";
import { grpcOnDemand } from "./grpc-on-demand.js";
import { parseParameters } from "./parse-connection.js";
import { quickFetch } from "./quick-fetch.js";

/** What carries the calls of a command. */
export interface Wire extends Disposable {
  readonly options: Pick<ConnectOptions, "fetch" | "transports">;
  readonly interceptors: readonly Interceptor[];
}

/** Opens what carries the calls: with the service parameters, traced, and with or without checks of certificates. */
export async function openWire(invocation: Invocation<ConnectOption>): Promise<Wire> {
  const { values, output, hint } = invocation;
  if (values.insecure) {
    output.stderr.write(
      textLine(
        "Warning",
        "--insecure: certificates are not checked; anyone in between can read and change everything",
      ),
    );
    // The only switch that fetch follows. Node warns of it too, in its own words.
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    process.removeAllListeners("warning");
  }
  const parameters = parseParameters(values["svc-param"], hint);
  const interceptors: readonly Interceptor[] =
    Object.keys(parameters).length === 0 ? [] : [withParameters(parameters)];
  const traced = values.debug ? await trace(invocation) : undefined;
  const grpc = grpcOnDemand({ wrap: traced?.wrap, isInsecure: values.insecure });
  return {
    options: {
      transports: { GRPC: grpc.open },
      fetch: traced?.fetch ?? quickFetch,
    },
    interceptors,
    [Symbol.dispose]: () => grpc[Symbol.dispose](),
  };
}

function withParameters(parameters: Readonly<Record<string, string>>): Interceptor {
  return {
    before: (outgoing) => {
      const { call } = outgoing;
      const serviceParameters = { ...parameters, ...call.serviceParameters };
      return { ...outgoing, call: { ...call, serviceParameters } };
    },
  };
}

interface Traced {
  readonly fetch: Fetch;
  readonly wrap: (service: AgentService) => AgentService;
}

async function trace({ values, output }: Invocation<ConnectOption>): Promise<Traced> {
  const { createRedactor } = await import("./redact.js");
  const { traceFetch, traceService } = await import("./trace-wire.js");
  const secrets = [values.bearer, values["api-key"]].filter((one) => one !== undefined);
  const redactor = createRedactor(secrets);
  return {
    fetch: traceFetch(quickFetch, output.stderr, redactor),
    wrap: (service) => traceService(service, output.stderr, redactor),
  };
}
