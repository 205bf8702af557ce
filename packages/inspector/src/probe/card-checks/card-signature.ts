import { createCardVerifier } from "@parley/a2a/client/signatures";
import type { CardCheck } from "../check.js";
import { broken, ok, skipped, warn } from "../finding.js";

/** A signature of the card can be verified with keys at the card's own host. */
export const cardSignature: CardCheck = {
  name: "card-signature",
  proves: "The card is as it was signed, by a key that its own host publishes.",
  async run({ target }) {
    const host = target.cardUrl === undefined ? undefined : new URL(target.cardUrl).host;
    const { fetch } = target.connect;
    const verify = createCardVerifier({
      ...(host !== undefined && { keyHosts: [host] }),
      ...(fetch !== undefined && { fetch }),
    });
    try {
      const { outcome, reason = "", kid } = await verify(target.document);
      if (outcome === "absent") return skipped("the card is not signed, which is allowed");
      if (outcome === "verified") return ok(`verified with the key ${kid}`);
      if (outcome === "invalid") {
        return broken(
          `the signature does not fit the card: ${reason}`,
          "sign the card as it is served: a proxy or a template has changed it, or the key was replaced",
        );
      }
      return warn(
        `the signature cannot be verified: ${reason}`,
        `name the key set of the signer in jku, at ${host ?? "the host of the card"}, and keep the key in it`,
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return warn(
        `the keys of the signature cannot be fetched: ${reason}`,
        "publish the key set at the URL that jku names",
      );
    }
  },
};
