import type { FetchedDocument, Target } from "@parley/inspector/probe";
import { missingMembers } from "@parley/inspector/probe";
import { expectThat, fail, pass, skip } from "../check.js";
import type { Observation } from "../check.js";
import type { RequirementId } from "../requirements.js";
import { asList, asObject } from "../wire-json.js";

/** An agent's card, and the places where it was looked for. */
export interface CardSubject {
  readonly target: Target;
  readonly documents: readonly FetchedDocument[];
}

/** A check of the card. */
export interface CardConformanceCheck {
  readonly id: RequirementId;
  run(subject: CardSubject): Observation;
}

function usedOf({ target, documents }: CardSubject): FetchedDocument | undefined {
  return documents.find(({ url }) => url === target.cardUrl);
}

/** A check of a header of the card. */
function ofHeader(
  id: RequirementId,
  name: string,
  judge: (value: string) => boolean,
): CardConformanceCheck {
  return {
    id,
    run(subject) {
      const used = usedOf(subject);
      if (used === undefined) return skip("the card was given as a file");
      const value = used.headers.get(name);
      return expectThat(
        value !== null && judge(value),
        value === null ? `there is no ${name}` : value,
      );
    },
  };
}

const kinds = [
  "apiKeySecurityScheme",
  "httpAuthSecurityScheme",
  "oauth2SecurityScheme",
  "openIdConnectSecurityScheme",
  "mtlsSecurityScheme",
];

function isLatest({ target }: CardSubject): boolean {
  return "supportedInterfaces" in asObject(target.document);
}

/** Requirements on the card (§4.4, §8). */
export const cardConformanceChecks: readonly CardConformanceCheck[] = [
  {
    id: "card:available",
    run: ({ target }) => pass(target.cardUrl ?? "the card was given as a file"),
  },
  {
    id: "card:well-known",
    run({ documents }) {
      const answered = documents.filter(
        ({ url, status }) => url.endsWith("/.well-known/agent-card.json") && status === 200,
      );
      if (answered.length === 0) return skip("nothing is there");
      const odd = answered.find(({ card }) => card === undefined);
      return odd === undefined
        ? pass(answered[0]?.url ?? "")
        : fail(`${odd.url}: ${odd.problem ?? ""}`);
    },
  },
  {
    id: "card:required-fields",
    run({ target }) {
      const missing = missingMembers(target.document).filter((name) => !name.includes("["));
      return expectThat(
        missing.length === 0,
        missing.length === 0 ? "all are there" : `it lacks ${missing.join(", ")}`,
      );
    },
  },
  {
    id: "card:skill-fields",
    run({ target }) {
      const missing = missingMembers(target.document).filter((name) => name.startsWith("skills["));
      return expectThat(
        missing.length === 0,
        missing.length === 0
          ? `${target.card.skills.length} skills`
          : `it lacks ${missing.join(", ")}`,
      );
    },
  },
  {
    id: "card:provider-fields",
    run({ target }) {
      const { provider } = asObject(target.document);
      if (provider === undefined || provider === null) return skip("the card names no provider");
      const { organization, url } = asObject(provider);
      return expectThat(
        typeof organization === "string" && typeof url === "string",
        JSON.stringify(provider).slice(0, 120),
      );
    },
  },
  {
    id: "card:interface-fields",
    run(subject) {
      if (!isLatest(subject)) return skip("a card before 1.0");
      const interfaces = asList(asObject(subject.target.document)["supportedInterfaces"]);
      const odd = interfaces.find((one) =>
        ["url", "protocolBinding", "protocolVersion"].some(
          (name) => typeof one[name] !== "string" || one[name] === "",
        ),
      );
      return expectThat(
        odd === undefined && interfaces.length > 0,
        odd === undefined ? `${interfaces.length} interfaces` : JSON.stringify(odd),
      );
    },
  },
  {
    id: "version:no-patch",
    run(subject) {
      if (!isLatest(subject)) return skip("a card before 1.0");
      const odd = asList(asObject(subject.target.document)["supportedInterfaces"]).find(
        (one) => !/^\d+\.\d+$/.test(String(one["protocolVersion"])),
      );
      return expectThat(
        odd === undefined,
        odd === undefined ? "major and minor numbers" : String(odd["protocolVersion"]),
      );
    },
  },
  {
    id: "card:scheme-variant",
    run(subject) {
      if (!isLatest(subject)) return skip("a card before 1.0");
      const schemes = Object.entries(
        asObject(asObject(subject.target.document)["securitySchemes"]),
      );
      if (schemes.length === 0) return skip("the card describes no schemes");
      const odd = schemes.find(
        ([, scheme]) => kinds.filter((kind) => kind in asObject(scheme)).length !== 1,
      );
      return expectThat(
        odd === undefined,
        odd === undefined ? `${schemes.length} schemes` : `${odd[0]} is not exactly one kind`,
      );
    },
  },
  {
    id: "card:interface-https",
    run({ target }) {
      const { cardUrl, card } = target;
      if (cardUrl === undefined || /^http:\/\/(?:localhost|127\.|\[::1\])/.test(cardUrl))
        return skip("not in production: the card is on this machine");
      const odd = card.supportedInterfaces.find(
        ({ url, protocolBinding }) => protocolBinding !== "GRPC" && !url.startsWith("https://"),
      );
      return expectThat(odd === undefined, odd?.url ?? "all are https");
    },
  },
  ofHeader("card:cache-control", "cache-control", (value) => /max-age=\d+/.test(value)),
  ofHeader("card:etag", "etag", (value) => value !== ""),
];
