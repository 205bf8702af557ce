import { parseUrl } from "../parse-url.js";
import { fetchOf } from "../target.js";
import type { CardCheck, Visit } from "../check.js";
import { fetchDocument } from "../find-documents.js";
import { broken, ok, skipped, warn } from "../finding.js";
import type { Finding } from "../finding.js";

/** An origin that nobody has listed, to see whether all origins are allowed. */
const anyOrigin = "https://page.example";

/** Web pages that may read the card may call the agent too. */
export const cardPages: CardCheck = {
  name: "pages",
  proves: "Web pages of other origins may read the card and call the agent, or may do neither.",
  async run(visit): Promise<Finding> {
    const { target, options } = visit;
    const { cardUrl } = target;
    const origin = options.origin ?? anyOrigin;
    if (cardUrl === undefined) return skipped("the card was given as a file");
    const card = await fetchDocument(cardUrl, fetchOptions(visit), { Origin: origin });
    const cardAllows = allows(card.headers, origin);
    const url = target.card.supportedInterfaces.find(
      ({ protocolBinding }) => protocolBinding !== "GRPC",
    )?.url;
    if (url === undefined || parseUrl(url) === undefined)
      return skipped("the agent has no HTTP interface");
    const preflight = await askPreflight(visit, url, origin);
    const callsAllowed = preflight !== undefined && allows(preflight, origin);
    const exact = `Access-Control-Allow-Origin: ${origin}`;
    if (!cardAllows && !callsAllowed) {
      const found = "web pages of other origins may neither read the card nor call";
      if (options.origin === undefined) return ok(`${found}; --origin URL checks one of yours`);
      return broken(
        found,
        `answer ${url} and the card with ${exact} (for Parley: --cors ${origin})`,
      );
    }
    if (cardAllows && !callsAllowed) {
      return broken(
        `pages of ${origin} may read the card, and the preflight of a call to ${url} is refused`,
        `answer OPTIONS at ${url} with ${exact} (for Parley: --cors ${origin})`,
      );
    }
    if (!cardAllows) {
      return broken(
        `pages of ${origin} may call ${url}, and may not read the card`,
        `send ${exact} with the card too`,
      );
    }
    return headersAllowed(preflight) ?? ok(`pages of ${origin} may read the card and call`);
  },
};

const needed = ["content-type", "authorization", "a2a-version"];

function headersAllowed(preflight: Headers | undefined): Finding | undefined {
  const allowed = list(preflight?.get("access-control-allow-headers"));
  const lacking = needed.filter(
    (name) => !allowed.includes(name) && (name === "authorization" || !allowed.includes("*")),
  );
  if (lacking.length === 0) return undefined;
  return warn(
    `pages may call, but not with ${lacking.join(", ")}`,
    `add ${lacking.join(", ")} to Access-Control-Allow-Headers of the preflight`,
  );
}

async function askPreflight(
  { target }: Visit,
  url: string,
  origin: string,
): Promise<Headers | undefined> {
  const headers = {
    Origin: origin,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": needed.join(","),
  };
  try {
    const signal = AbortSignal.timeout(target.timeoutMs);
    const response = await fetchOf(target)(url, { method: "OPTIONS", headers, signal });
    await response.body?.cancel();
    return response.ok ? response.headers : undefined;
  } catch {
    return undefined;
  }
}

function fetchOptions({ target }: Visit): Parameters<typeof fetchDocument>[1] {
  return { fetch: fetchOf(target), timeoutMs: target.timeoutMs };
}

function allows(headers: Headers, origin: string): boolean {
  const allowed = headers.get("access-control-allow-origin");
  return allowed === "*" || allowed === origin;
}

function list(header: string | null | undefined): readonly string[] {
  return (header ?? "").split(",").map((one) => one.trim().toLowerCase());
}
