import type { CardCheck } from "../check.js";
import { broken, ok, warn } from "../finding.js";

/** The card is where clients look first. */
export const cardFound: CardCheck = {
  name: "card-found",
  proves: "The card is at /.well-known/agent-card.json, without a redirect.",
  run({ documents, target }) {
    const used = documents.find(({ url }) => url === target.cardUrl);
    if (used === undefined) return ok("the card was given as a file");
    const said = `${used.url}, ${used.bytes} bytes, ${Math.round(used.ms)} ms`;
    if (used.redirectedTo !== undefined) {
      return warn(
        `${used.url} redirects to ${used.redirectedTo}; credentials and caches do not follow to another origin`,
        `serve the card at ${used.url} itself, or give callers ${used.redirectedTo}`,
      );
    }
    const isOld = used.url.endsWith("/.well-known/agent.json");
    const isRecent = target.card.supportedInterfaces.some(
      ({ protocolVersion }) => !/^0\.[12]/.test(protocolVersion),
    );
    if (isOld && isRecent) {
      return broken(
        `the card is only at ${used.url}, where readers of 0.1 and 0.2 look`,
        "serve the same card at /.well-known/agent-card.json, which is the path since 0.3",
      );
    }
    return ok(said);
  },
};
