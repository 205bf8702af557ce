import type { AgentCard } from "../protocol/internal.js";
import type { Parser } from "../protocol/parse/internal.js";
import { decodeAgentCard as decodeOldest } from "./v0.1/agent-card.js";
import { decodeAgentCard as decodeEarlier } from "./v0.3/agent-card.js";
import { decodeAgentCard as decodeCurrent } from "./v1.0/agent-card.js";

/** How the cards of each version are read. Apart from the codecs: a client that looks for a card needs no more. */
export const peerCardDecoders: Readonly<Record<"0.1" | "0.3" | "1.0", Parser<AgentCard>>> = {
  "0.1": decodeOldest,
  "0.3": decodeEarlier,
  "1.0": decodeCurrent,
};
