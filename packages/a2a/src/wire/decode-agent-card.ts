import type { AgentCard } from "../protocol/internal.js";
import { Cursor } from "../protocol/parse/internal.js";
import type { Parser } from "../protocol/parse/internal.js";
import { hasInterfaces, inferEarlierCardVersion } from "./card/card-version.js";
import type { CardPath } from "./card/card-version.js";
import { peerCardDecoders } from "./peer-card-decoders.js";

export interface DecodeAgentCardOptions {
  /** The file name under which the card was found. It helps to tell the version. */
  readonly servedAt?: CardPath;
  /** By default the card is read as a peer's answer. */
  readonly cursor?: Cursor;
}

/**
 * Decodes a peer's card of any version. Throws `INVALID_AGENT_RESPONSE`, which names the member, for a
 * document that is no card or has no address of the agent.
 */
export function decodeAgentCard(json: unknown, options: DecodeAgentCardOptions = {}): AgentCard {
  const { servedAt, cursor = new Cursor({ code: "INVALID_AGENT_RESPONSE" }) } = options;
  return chooseDecoder(json, servedAt)(json, cursor);
}

/** Chooses by the form of the card, not by the version it claims: a card with a `url` is read as 0.x. */
function chooseDecoder(json: unknown, servedAt: CardPath | undefined): Parser<AgentCard> {
  if (hasInterfaces(json)) return peerCardDecoders["1.0"];
  return peerCardDecoders[inferEarlierCardVersion(json, servedAt) === "0.1" ? "0.1" : "0.3"];
}
