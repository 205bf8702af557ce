import type { AgentService } from "@parley/a2a";
import type { ConnectOptions, Fetch, Interceptor } from "@parley/a2a/client";
import { quickFetch } from "@parley/a2a/client/node";
import type { Invocation } from "../options/define-command.js";
import { textLine } from "../output/text-form.js";
import { UsageError } from "../usage-error.js";
import { agentOrigin } from "../auth/agent-origin.js";
import type { ClientCertificate } from "./client-certificate.js";
import type { ConnectOption } from "./connect-options.js";
import { grpcOnDemand } from "./grpc-on-demand.js";
import { parseParameters } from "./parse-connection.js";
import type { Reference } from "./read-reference.js";

/** What carries the calls of a command. */
export interface Wire extends Disposable {
  readonly options: Pick<ConnectOptions, "fetch" | "transports">;
  readonly interceptors: readonly Interceptor[];
  /** The caller's certificate, if there is one. */
  readonly certificate?: ClientCertificate;
}

/** The agent that is called: as it was given, and as it was found. */
export interface NamedAgent {
  readonly given: string;
  readonly reference: Reference;
}

/**
 * Opens what carries the calls: with the service parameters, traced, with the caller's certificate, and with or without checks of
 * the agent's.
 */
export async function openWire(
  invocation: Invocation<ConnectOption>,
  agent: NamedAgent,
): Promise<Wire> {
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
  const certificate = await readCertificate(invocation, agent);
  const presented = certificate && (await present(certificate));
  const fetch = presented?.fetch ?? quickFetch;
  const traced = values.debug ? await trace(invocation, fetch) : undefined;
  const grpc = grpcOnDemand({ wrap: traced?.wrap, isInsecure: values.insecure, certificate });
  return {
    options: { transports: { GRPC: grpc.open }, fetch: traced?.fetch ?? fetch },
    interceptors,
    ...(certificate !== undefined && { certificate }),
    [Symbol.dispose]() {
      grpc[Symbol.dispose]();
      presented?.close();
    },
  };
}

/** The certificate of the options, for the host of the agent. What reads it is loaded only if there is one. */
async function readCertificate(
  { values, hint }: Invocation<ConnectOption>,
  { given, reference }: NamedAgent,
): Promise<ClientCertificate | undefined> {
  const { "client-cert": cert, "client-key": key } = values;
  if (cert === undefined) {
    if (key === undefined) return undefined;
    throw new UsageError("--client-key needs --client-cert, which names the certificate", { hint });
  }
  const origin = agentOrigin(given, reference);
  if (origin === undefined) throw new UsageError("--client-cert: the agent has no host", { hint });
  const { readClientCertificate } = await import("./client-certificate.js");
  return readClientCertificate({ cert, key, host: new URL(origin).hostname, hint });
}

async function present(certificate: ClientCertificate) {
  const { presentCertificate } = await import("./client-certificate.js");
  return presentCertificate(certificate, quickFetch);
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

async function trace(invocation: Invocation<ConnectOption>, fetch: Fetch): Promise<Traced> {
  const { output } = invocation;
  const { secretRedactor } = await import("./secret-redactor.js");
  const { traceFetch, traceService } = await import("./trace-wire.js");
  const redactor = await secretRedactor(invocation);
  return {
    fetch: traceFetch(fetch, output.stderr, redactor),
    wrap: (service) => traceService(service, output.stderr, redactor),
  };
}
