import type { CardCheck } from "../check.js";
import { ok, skipped, warn } from "../finding.js";

/** Readers of 0.1 and 0.2 find the card, if the agent serves them. */
export const cardOldPath: CardCheck = {
  name: "card-old-path",
  proves: "An agent that serves 0.1 or 0.2 has a card at /.well-known/agent.json too.",
  run({ documents, target }) {
    const old = documents.find(({ url }) => url.endsWith("/.well-known/agent.json"));
    const servesOld = target.card.supportedInterfaces.some(({ protocolVersion }) =>
      /^0\.[12]/.test(protocolVersion),
    );
    const found = documents.find(
      ({ url, card }) => url.endsWith("/.well-known/agent.json") && card !== undefined,
    );
    if (found !== undefined) return ok(found.url);
    if (!servesOld || old === undefined) {
      return skipped("no card there, and the agent declares neither 0.1 nor 0.2");
    }
    const there = old.problem ?? old.failure ?? `HTTP ${old.status}`;
    return warn(
      `the card declares 0.1 or 0.2, and ${old.url} has no card (${there})`,
      "serve the card at /.well-known/agent.json too: clients of 0.1 and 0.2 look nowhere else",
    );
  },
};
