import { fetchOf } from "../target.js";
import type { CardCheck } from "../check.js";
import { fetchDocument } from "../find-documents.js";
import { broken, ok, skipped } from "../finding.js";

const pushKeysUri = "urn:parley:a2a:push-keys:v1";

/** Receivers of push notifications find the keys that the card promises. */
export const pushKeys: CardCheck = {
  name: "push-keys",
  proves: "The keys that sign push notifications are where the card says.",
  async run({ target }) {
    const { extensions = [] } = target.card.capabilities;
    const url = extensions.find(({ uri }) => uri === pushKeysUri)?.params?.["url"];
    if (typeof url !== "string") return skipped("the card names no keys for push notifications");
    const answer = await fetchDocument(url, {
      fetch: fetchOf(target),
      timeoutMs: target.timeoutMs,
    });
    const { document } = answer;
    const keys =
      typeof document === "object" && document !== null && "keys" in document ? document.keys : [];
    if (Array.isArray(keys) && keys.length > 0) return ok(`${url}, ${keys.length} keys`);
    return broken(
      `${url} has no key set (${answer.failure ?? `HTTP ${answer.status}`})`,
      "let the proxy pass /.well-known/jwks.json on to the agent, or correct the URL in the card: receivers cannot verify notifications",
    );
  },
};
