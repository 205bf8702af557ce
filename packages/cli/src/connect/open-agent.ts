import { A2AError } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, RemoteAgent, Secrets } from "@parley/a2a/client";
import type { Invocation } from "../options/define-command.js";
import type { OptionValues } from "../options/option-table.js";
import { parseWait } from "../options/parse-wait.js";
import { textLine } from "../output/text-form.js";
import { UsageError } from "../usage-error.js";
import type { ConnectOption } from "./connect-options.js";
import { startDeadline } from "./deadline.js";
import { explainCardError, explainError } from "./explain-error.js";
import { meetsCard, pickCredentials } from "./pick-credentials.js";
import type { OwnSecrets } from "./pick-credentials.js";
import { openWire } from "./open-wire.js";
import { parseBinding, parseVersion } from "./parse-connection.js";
import { readReference } from "./read-reference.js";
import type { Reference } from "./read-reference.js";
import { verifyCard } from "./verify-card.js";

/** A command line with the options of `connectOptions`, and perhaps with others. */
export type Connecting = Invocation<ConnectOption>;

/** An agent that a command calls. */
export interface OpenedAgent {
  readonly agent: RemoteAgent;
  /** Aborted when the time of `--timeout` is over; for every call. */
  readonly signal: AbortSignal;
  /** The document that the card was read from, as it came. */
  readonly document: unknown;
}

/**
 * Connects to the agent that the options name, and works with it. Every error is explained as the contract of the
 * command line says: with a code, an exit code and the next command.
 */
export async function withAgent<T>(
  invocation: Connecting,
  work: (opened: OpenedAgent) => Promise<T>,
): Promise<T> {
  const { values, output, hint } = invocation;
  const reference = values["agent-card"];
  if (reference === undefined) {
    const message = "there is no agent to call; name one with -a REF or A2ACLI_AGENT_CARD";
    throw new UsageError(message, { hint });
  }
  const own: OwnSecrets = { bearer: values.bearer, apiKey: values["api-key"] };
  const hasSecrets = Object.values(own).some((one) => one !== undefined);
  using deadline = startDeadline(values.timeout, hint);
  using wire = await openWire(invocation);
  const { signal } = deadline;
  const about = { command: invocation.command, reference, signal, timeout: values.timeout };
  // `connect` looks into the credentials at each call, and their names are known once there is a card.
  const secrets: Record<string, Secrets[string]> = {};
  let document: unknown;
  const options: ConnectOptions = {
    ...wire.options,
    ...(hasSecrets && { credentials: secrets }),
    versions: [parseVersion(values["a2a-version"], hint)],
    signal,
    patience: { maxAttempts: 2, pollMs: pollMsOf(invocation) },
    verifyCard: (found) => {
      document = found;
      return verifyCard(found, reference);
    },
  };
  const found = await readReference(reference);
  const bindings = values.transport.map((one) => parseBinding(one, hint));
  const agent = await connectInOrder(found, options, bindings).catch(async (error: unknown) => {
    throw await explainCardError(error, about);
  });
  Object.assign(secrets, pickCredentials(agent.card, own));
  if (agent.signature?.outcome === "invalid") {
    output.stderr.write(
      textLine("Warning", `the card's signature is invalid: ${agent.signature.reason ?? ""}`),
    );
  }
  if (hasSecrets && (agent.card.securityRequirements ?? []).length === 0) {
    const message = "the card requires no credentials, so none are sent";
    output.stderr.write(textLine("Warning", message));
  }
  try {
    return await work({ agent, signal, document });
  } catch (error) {
    const isAnonymous = !meetsCard(agent.card, secrets) || Object.keys(secrets).length === 0;
    throw await explainError(error, { ...about, card: agent.card, isAnonymous });
  }
}

function pollMsOf({ values, hint }: Connecting): number {
  const { "poll-interval": interval = "2s" } = values as Partial<OptionValues<"poll-interval">>;
  return parseWait("--poll-interval", interval, hint);
}

/** Connects by the first of the bindings that the card has; by the card's own order when it has none of them. */
async function connectInOrder(
  reference: Reference,
  options: ConnectOptions,
  bindings: readonly string[],
): Promise<RemoteAgent> {
  if (bindings.length === 0) return connect(reference, options);
  try {
    return await connect(reference, { ...options, bindings });
  } catch (error) {
    if (!A2AError.is(error) || error.code !== "VERSION_NOT_SUPPORTED") throw error;
    return connect(reference, options);
  }
}
