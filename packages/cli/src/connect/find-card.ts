import { A2AError } from "@parley/a2a";
import type { AgentCard } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { Invocation } from "../options/define-command.js";
import type { ConnectOption } from "./connect-options.js";
import { explainCardError } from "./explain-error.js";
import { prepareConnection } from "./prepare-connection.js";
import type { CardEvidence } from "./prepare-connection.js";

/** A card, and what it was read from. */
export interface FoundCard extends CardEvidence {
  readonly card: AgentCard;
}

/** Finds the card that the options name, whether or not this tool can call the agent. */
export async function findCard(invocation: Invocation<ConnectOption>): Promise<FoundCard> {
  using connection = await prepareConnection(invocation);
  const { reference, options, evidence, about } = connection;
  try {
    const { card } = await connect(reference, {
      ...options,
      versions: ["1.0", "0.3", "0.2", "0.1"],
    });
    return { card, ...evidence };
  } catch (error) {
    const isRead = A2AError.is(error) && error.code === "VERSION_NOT_SUPPORTED";
    if (!isRead || evidence.document === undefined) throw await explainCardError(error, about);
    const { decodeAgentCard } = await import("@parley/a2a/wire");
    return { card: decodeAgentCard(evidence.document), ...evidence };
  }
}
