import { fetchOf } from "../target.js";
import type { CardCheck } from "../check.js";
import { fetchDocument } from "../find-documents.js";
import { ok, skipped, warn } from "../finding.js";

/** Clients need not fetch the whole card for every call. */
export const cardCaching: CardCheck = {
  name: "card-caching",
  proves: "The card has a Cache-Control and an ETag, and is not sent again to who has it.",
  async run({ documents, target }) {
    const used = documents.find(({ url }) => url === target.cardUrl);
    if (used === undefined) return skipped("the card was given as a file");
    const etag = used.headers.get("etag");
    const control = used.headers.get("cache-control");
    const missing = [...(control ? [] : ["Cache-Control"]), ...(etag ? [] : ["ETag"])];
    if (missing.length > 0) {
      return warn(
        `the card comes without ${missing.join(" and ")}`,
        "send Cache-Control: max-age=300 and an ETag of the content, so that clients keep the card",
      );
    }
    const options = { fetch: fetchOf(target), timeoutMs: target.timeoutMs };
    const again = await fetchDocument(used.url, options, {
      "If-None-Match": etag ?? "",
      // Without it fetch says no-cache beside If-None-Match, and servers then send the card whole.
      "Cache-Control": "max-age=0",
    });
    if (again.status === 304) return ok(`Cache-Control: ${control}; 304 for who has it`);
    return warn(
      `the card has the ETag ${etag}, and If-None-Match with it is answered with ${again.status ?? again.failure}`,
      "answer 304 if If-None-Match has the ETag of the card",
    );
  },
};
