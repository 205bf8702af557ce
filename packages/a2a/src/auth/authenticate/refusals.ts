import { A2AError, describeRequirements } from "../../protocol/internal.js";
import { formatChallenge } from "./challenge.js";
import type { ChallengeError } from "./challenge.js";
import { toSecurityRequirement } from "../requirement.js";
import type { Requirement } from "../requirement.js";
import type { Scheme } from "../scheme.js";

type Scoped = readonly (readonly [name: string, scopes: readonly string[]])[];

/** A scope that a header can carry (RFC 6749, 3.3). */
const scopeToken = /^[!#-[\]-~]+$/;

/**
 * The errors for callers that are not admitted: they say how to authenticate, and of what was wrong no more
 * than RFC 6750 defines. The `cause` says more, for the audit log.
 */
export class Refusals {
  /** The challenges for a caller without credentials. */
  readonly challenges: readonly string[];
  readonly #schemes: ReadonlyMap<string, Scheme>;
  readonly #required: Scoped;
  readonly #realm: string;
  /** What callers have to show, in words. */
  readonly #wanted: string;

  constructor(
    schemes: ReadonlyMap<string, Scheme>,
    requirements: readonly Requirement[],
    realm: string,
  ) {
    this.#schemes = schemes;
    this.#required = requirements.flatMap((requirement) => Object.entries(requirement));
    this.#realm = realm;
    const described = [...schemes].map(([name, { description }]) => [name, description] as const);
    this.#wanted = describeRequirements(
      requirements.map(toSecurityRequirement),
      Object.fromEntries(described),
    );
    this.challenges = this.#challenge(this.#required, () => undefined);
  }

  unknown(): A2AError {
    return this.#absent("no credentials");
  }

  /** These schemes have identified a caller, but others that are required with them have not. */
  incomplete(names: readonly string[]): A2AError {
    return this.#absent(`nothing but ${names.join(", ")}`);
  }

  /** The credentials are invalid, for these reasons by scheme. */
  invalid(reasons: ReadonlyMap<string, string>): A2AError {
    const errorOf = (name: string): ChallengeError | undefined =>
      reasons.has(name) ? "invalid_token" : undefined;
    return new A2AError("UNAUTHENTICATED", "the credentials are not valid", {
      details: { challenges: this.#challenge(this.#required, errorOf) },
      cause: new Error([...reasons].map(([name, reason]) => `${name}: ${reason}`).join("; ")),
    });
  }

  /** These schemes should have granted these scopes. */
  insufficient(lacking: Scoped): A2AError {
    return new A2AError("PERMISSION_DENIED", "a scope that is required was not granted", {
      details: { challenges: this.#challengeScopes(lacking) },
      cause: new Error(lacking.map(([name, scopes]) => `${name}: ${scopes.join(" ")}`).join("; ")),
    });
  }

  /** The challenges for a caller that lacks some of these scopes, whichever scheme grants them. */
  challengesFor(scopes: readonly string[]): readonly string[] {
    const names = new Set(this.#required.map(([name]) => name));
    const sayable = scopes.filter((scope) => scopeToken.test(scope));
    return this.#challengeScopes([...names].map((name) => [name, sayable]));
  }

  /** Only the challenges of bearer tokens can say which scopes are missing. */
  #challengeScopes(scoped: Scoped): readonly string[] {
    const told = scoped.filter(([name]) => this.#schemes.get(name)?.challenge.scheme === "Bearer");
    return this.#challenge(told, () => "insufficient_scope");
  }

  #absent(reason: string): A2AError {
    return new A2AError("UNAUTHENTICATED", `authentication is required: ${this.#wanted}`, {
      details: { challenges: this.challenges },
      cause: new Error(reason),
    });
  }

  #challenge(
    scoped: Scoped,
    errorOf: (name: string) => ChallengeError | undefined,
  ): readonly string[] {
    const all = scoped.map(([name, scopes]) =>
      formatChallenge(this.#schemes.get(name)!.challenge, {
        realm: this.#realm,
        scopes,
        error: errorOf(name),
      }),
    );
    return [...new Set(all)];
  }
}
