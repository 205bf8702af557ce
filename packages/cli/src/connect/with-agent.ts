import { A2AError } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { agentOrigin } from "../auth/agent-origin.js";
import type { Invocation } from "../options/define-command.js";
import { textLine } from "../output/text-form.js";
import { parseUrl } from "../parse-url.js";
import type { ConnectOption } from "./connect-options.js";
import { explainCardError, explainError } from "./explain-error.js";
import { parseBinding } from "./parse-connection.js";
import { meetsCard, pickCredentials } from "./pick-credentials.js";
import { prepareConnection } from "./prepare-connection.js";
import type { CardEvidence, Connection } from "./prepare-connection.js";
import type { SeenTask } from "./seen-task.js";

/** An agent that a command calls. */
export interface OpenedAgent extends CardEvidence {
  readonly agent: RemoteAgent;
  /** Aborted when the time of `--timeout` is over; for every call. */
  readonly signal: AbortSignal;
  /** The task that the agent spoke of last. */
  readonly seen: SeenTask;
}

/**
 * Connects to the agent that the options name, and works with it. Every error is explained as the contract of the
 * command line says: with a code, an exit code and the next command.
 */
export async function withAgent<T>(
  invocation: Invocation<ConnectOption>,
  work: (opened: OpenedAgent) => Promise<T>,
): Promise<T> {
  using connection = await prepareConnection(invocation);
  const { about, signal, seen, secrets, evidence } = connection;
  const agent = await connectInOrder(invocation, connection).catch(async (error: unknown) => {
    throw await explainCardError(error, about);
  });
  const { card } = agent;
  Object.assign(secrets, pickCredentials(card, connection.own));
  const warn = (text: string): void => {
    invocation.output.stderr.write(textLine("Warning", text));
  };
  if (evidence.signature?.outcome === "invalid") {
    warn(`the card's signature is invalid: ${evidence.signature.reason ?? "it does not fit"}`);
  }
  const { bearer, "api-key": key } = invocation.values;
  if ((bearer ?? key) !== undefined && (card.securityRequirements ?? []).length === 0) {
    warn("the card requires no credentials, so none are sent");
  }
  try {
    return await work({ agent, signal, seen, ...evidence });
  } catch (error) {
    const isAnonymous = !connection.hasSecrets || !meetsCard(card, connection.own);
    throw await explainError(error, { ...about, card, isAnonymous });
  }
}

/**
 * Connects by the first of the bindings that the card has; by the card's own order when it has none of them. The caller
 * entrusts secrets to the agent's host: another port of it, as gRPC has one, gets them too.
 */
async function connectInOrder(
  { values, hint, output }: Invocation<ConnectOption>,
  { reference, options, hasSecrets }: Connection,
): Promise<RemoteAgent> {
  const bindings = values.transport.map((one) => parseBinding(one, hint));
  const preferred = bindings.length === 0 ? options : { ...options, bindings };
  let chosen = preferred;
  let agent: RemoteAgent;
  try {
    agent = await connect(reference, preferred);
  } catch (error) {
    const isOther = A2AError.is(error) && error.code === "VERSION_NOT_SUPPORTED";
    if (!isOther || bindings.length === 0) throw error;
    chosen = options;
    agent = await connect(reference, options);
    const message = `the card does not offer ${bindings.join(" or ")}; calls it by ${agent.binding}`;
    output.stderr.write(textLine("Warning", message));
  }
  const origin = hasSecrets ? agentOrigin(values["agent-card"] ?? "", reference) : undefined;
  if (origin === undefined || !isOtherPort(agent.url, origin)) return agent;
  return connect(reference, { ...chosen, credentialsOrigin: agent.url });
}

/** Whether an address is at the host of an origin, and at another port. */
function isOtherPort(address: string, origin: string): boolean {
  const url = parseUrl(/^\w+:\/\//.test(address) ? address : `https://${address}`);
  const { hostname, host } = new URL(origin);
  return url?.hostname === hostname && url.host !== host;
}
