import type { CardCheck } from "../check.js";
import { ok, skipped, warn } from "../finding.js";

/** The card is served as JSON. */
export const cardMediaType: CardCheck = {
  name: "card-media-type",
  proves: "The card is labelled as JSON.",
  run({ documents, target }) {
    const used = documents.find(({ url }) => url === target.cardUrl);
    if (used === undefined) return skipped("the card was given as a file");
    const type = used.headers.get("content-type");
    if (type !== null && /^application\/([\w.-]+\+)?json\b/i.test(type)) return ok(type);
    return warn(
      `the card has the Content-Type ${type ?? "none"}`,
      "send Content-Type: application/json with the card; strict clients and proxies refuse others",
    );
  },
};
