import type { Credentials } from "../../protocol/internal.js";
import { missingScopes } from "../requirement.js";
import { checkVerdict } from "./check-verdict.js";
import type { Requirement } from "../requirement.js";
import { invalid } from "../scheme.js";
import type { Identity, Scheme, Verdict } from "../scheme.js";

/** A requirement all of whose schemes have identified a caller. */
interface Met {
  readonly identities: ReadonlyMap<string, Identity>;
  /** The schemes that grant too little, with all scopes that they should grant. */
  readonly lacking: readonly (readonly [name: string, scopes: readonly string[]])[];
}

/**
 * The verdicts of the schemes on one request. Each scheme checks the request at most once, when its verdict
 * is needed.
 */
export class Checks {
  readonly #schemes: ReadonlyMap<string, Scheme>;
  readonly #credentials: Credentials;
  readonly #verdicts = new Map<string, Verdict>();

  constructor(schemes: ReadonlyMap<string, Scheme>, credentials: Credentials) {
    this.#schemes = schemes;
    this.#credentials = credentials;
  }

  /** Checks a requirement; `undefined` unless all of its schemes have identified a caller. */
  async meet(requirement: Requirement): Promise<Met | undefined> {
    const identities = new Map<string, Identity>();
    const lacking: [string, readonly string[]][] = [];
    for (const [name, scopes] of Object.entries(requirement)) {
      const verdict = await this.#check(name);
      if (verdict.kind !== "known") return undefined;
      identities.set(name, verdict.identity);
      const isEnough = missingScopes(scopes, verdict.identity.scopes).length === 0;
      if (!isEnough) lacking.push([name, scopes]);
    }
    return identities.size === 0 ? undefined : { identities, lacking };
  }

  /** The callers that these schemes have identified, without those schemes that have not. */
  async identities(names: readonly string[]): Promise<ReadonlyMap<string, Identity>> {
    const identities = new Map<string, Identity>();
    for (const name of names) {
      const verdict = await this.#check(name);
      if (verdict.kind === "known") identities.set(name, verdict.identity);
    }
    return identities;
  }

  /** The reasons why credentials are invalid, by scheme. */
  reasons(): ReadonlyMap<string, string> {
    const invalid = [...this.#verdicts].flatMap(([name, verdict]) =>
      verdict.kind === "invalid" ? [[name, verdict.reason] as const] : [],
    );
    return new Map(invalid);
  }

  async #check(name: string): Promise<Verdict> {
    const made = this.#verdicts.get(name);
    if (made !== undefined) return made;
    const found = checkVerdict(await this.#schemes.get(name)!.check(this.#credentials), name);
    const isUsable = found.kind !== "known" || canOwn(found.identity.subject);
    const verdict = isUsable ? found : invalid("a subject that cannot be stored");
    this.#verdicts.set(name, verdict);
    return verdict;
  }
}

const maxSubjectLength = 1024;

/** Whether a subject can be stored as an owner: stores do not accept every string. */
function canOwn(subject: string): boolean {
  const isName = subject !== "" && subject.length <= maxSubjectLength && subject.isWellFormed();
  return isName && !/\p{Cc}/u.test(subject);
}
