import { describe, expect, it } from "vitest";
import { bearer, credentials } from "../../../test/support/auth/credentials.js";
import { httpBasic } from "../schemes/http-basic.js";
import { httpBearer } from "../schemes/http-bearer.js";
import { invalid, known } from "../scheme.js";
import type { Verdict } from "../scheme.js";
import { createAuthenticator } from "./create-authenticator.js";

const secret = "hush-hush";

/** What a verifier gives that pays no heed to its type, and how the error describes it. */
const wrong: readonly (readonly [given: unknown, described: string])[] = [
  [undefined, "nothing"],
  [null, "null"],
  [true, "a boolean"],
  [secret, "a string"],
  [["ada"], "a list"],
  [{}, "an empty object"],
  [{ subject: "ada", scopes: [], password: secret }, "an object with subject, scopes, password"],
  [{ kind: "valid" }, "an object with kind"],
  [{ kind: "invalid" }, 'the kind "invalid" without a reason'],
  [{ kind: "known" }, 'the kind "known" without an identity'],
  [{ kind: "known", identity: { scopes: [] } }, "an identity whose subject is not a string"],
  [
    { kind: "known", identity: { subject: 7, scopes: [] } },
    "an identity whose subject is not a string",
  ],
  [
    { kind: "known", identity: { subject: "ada", scopes: "read" } },
    "an identity whose scopes are not a list of strings",
  ],
  [
    { kind: "known", identity: { subject: "ada" } },
    "an identity whose scopes are not a list of strings",
  ],
  [
    { kind: "known", identity: { subject: "ada", scopes: [], issuer: {} } },
    "an identity whose issuer is not a string",
  ],
];

describe("a verifier that gives no verdict", () => {
  it.each(wrong)("admits nobody, and is told what it gave: %j", async (given, described) => {
    const auth = createAuthenticator({
      schemes: { token: httpBearer({ verify: async () => given as Verdict }) },
    });
    const error: unknown = await auth.authenticate(bearer("token")).catch((one: unknown) => one);
    expect(error).toMatchObject({
      name: "WrongVerdict",
      message:
        `the scheme "token" gave ${described}; expected known({ subject, scopes }) or invalid(reason), ` +
        'both from "@parley/a2a/auth"',
    });
    expect(String(error)).not.toContain(secret);
  });

  it("is told so by a scheme for passwords, too", async () => {
    const users = async () => ({ subject: "ada" }) as unknown as Verdict;
    const auth = createAuthenticator({ schemes: { basic: httpBasic({ users }) } });
    for (const answer of [users, async () => undefined as unknown as Verdict]) {
      const other = createAuthenticator({ schemes: { basic: httpBasic({ users: answer }) } });
      const given = credentials({ headers: { authorization: `Basic ${btoa("ada:secret")}` } });
      await expect(other.authenticate(given)).rejects.toMatchObject({ name: "WrongVerdict" });
      await expect(auth.authenticate(given)).rejects.toMatchObject({ name: "WrongVerdict" });
    }
  });
});

describe("a verdict", () => {
  it("says whose token it is, and what it grants: nothing unless it says so", async () => {
    const verify = async (token: string): Promise<Verdict> =>
      token === "bad" ? invalid("revoked") : known({ subject: token });
    const auth = createAuthenticator({ schemes: { token: httpBearer({ verify }) } });
    expect(await auth.authenticate(bearer("ada"))).toEqual({
      subject: "token#ada",
      scopes: [],
      grants: { token: [] },
    });
    await expect(auth.authenticate(bearer("bad"))).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      cause: new Error("token: revoked"),
    });
  });
});
