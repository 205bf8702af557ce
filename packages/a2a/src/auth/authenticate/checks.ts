import type { Credentials } from "../../protocol/internal.js";
import { missingScopes } from "../requirement.js";
import type { Requirement } from "../requirement.js";
import { invalid } from "../scheme.js";
import type { Identity, Scheme, Verdict } from "../scheme.js";

/** All schemes of a requirement have found somebody. */
interface Met {
  readonly identities: ReadonlyMap<string, Identity>;
  /** The schemes that grant too little, with all that they should grant. */
  readonly lacking: readonly (readonly [name: string, scopes: readonly string[]])[];
}

/** What the schemes find in one request; each is asked once, and only if it matters. */
export class Checks {
  readonly #schemes: ReadonlyMap<string, Scheme>;
  readonly #credentials: Credentials;
  readonly #verdicts = new Map<string, Verdict>();

  constructor(schemes: ReadonlyMap<string, Scheme>, credentials: Credentials) {
    this.#schemes = schemes;
    this.#credentials = credentials;
  }

  /** Undefined when not all of the schemes have found somebody. */
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

  /** Whom these schemes have found; what is absent or invalid there does not matter. */
  async identities(names: readonly string[]): Promise<ReadonlyMap<string, Identity>> {
    const identities = new Map<string, Identity>();
    for (const name of names) {
      const verdict = await this.#check(name);
      if (verdict.kind === "known") identities.set(name, verdict.identity);
    }
    return identities;
  }

  /** Why what was presented is not valid, by scheme. */
  reasons(): ReadonlyMap<string, string> {
    const invalid = [...this.#verdicts].flatMap(([name, verdict]) =>
      verdict.kind === "invalid" ? [[name, verdict.reason] as const] : [],
    );
    return new Map(invalid);
  }

  async #check(name: string): Promise<Verdict> {
    const made = this.#verdicts.get(name);
    if (made !== undefined) return made;
    const found = await this.#schemes.get(name)!.check(this.#credentials);
    const isUsable = found.kind !== "known" || canOwn(found.identity.subject);
    const verdict = isUsable ? found : invalid("a subject that cannot be stored");
    this.#verdicts.set(name, verdict);
    return verdict;
  }
}

const maxSubjectLength = 1024;

/** What a subject owns is kept under its name, and no store keeps everything that a string can be. */
function canOwn(subject: string): boolean {
  const isName = subject !== "" && subject.length <= maxSubjectLength && subject.isWellFormed();
  return isName && !/\p{Cc}/u.test(subject);
}
