import type { AgentCard } from "../../protocol/internal.js";
import { Cursor } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { hasInterfaces, inferEarlierCardVersion } from "./card-version.js";
import type { CardPath } from "./card-version.js";
import { decodeAgentCard as decodeOldest } from "../v0.1/agent-card.js";
import { decodeAgentCard as decodeEarlier } from "../v0.3/agent-card.js";
import { decodeAgentCard as decodeCurrent } from "../v1.0/agent-card.js";

export interface DecodeAgentCardOptions {
  /** Where the card was found, which is evidence of its version. */
  readonly servedAt?: CardPath;
  /** By which rules to read; a peer's answer, unless said otherwise. */
  readonly cursor?: Cursor;
}

/**
 * A peer's card of any version. Throws `INVALID_AGENT_RESPONSE`, naming the member, for what is no card
 * or does not say where the agent is.
 */
export function decodeAgentCard(json: unknown, options: DecodeAgentCardOptions = {}): AgentCard {
  const { servedAt, cursor = new Cursor({ code: "INVALID_AGENT_RESPONSE" }) } = options;
  return chooseDecoder(json, servedAt)(json, cursor);
}

/** By its form, not by the version it claims: what has a `url` is read as cards with one are. */
function chooseDecoder(json: unknown, servedAt: CardPath | undefined): Parser<AgentCard> {
  if (hasInterfaces(json)) return decodeCurrent;
  return inferEarlierCardVersion(json, servedAt) === "0.1" ? decodeOldest : decodeEarlier;
}
