import { describe, expect, it } from "vitest";
import { bearer, credentials } from "../../../test/support/auth/credentials.js";
import { verifies } from "../../../test/spec/verifies.js";
import type { AgentCard, Authenticator, Credentials } from "../../protocol/internal.js";
import { createAuthenticator } from "./create-authenticator.js";
import { httpBearer } from "../schemes/http-bearer.js";
import { requireSkills } from "../guard/require-skills.js";
import { meetsRequirements } from "../requirement.js";
import { absent, invalid, known } from "../scheme.js";
import type { Scheme } from "../scheme.js";

/** Bearer tokens that say what they are: the subject, then the scopes. */
const tokens = httpBearer({
  verify: async (token) => {
    const [subject = "", ...scopes] = token.split(".");
    return subject === "bad" ? invalid("it says so") : known({ subject, scopes });
  },
});

/** A key that is its owner's name. */
const key: Scheme = {
  description: { apiKeySecurityScheme: { location: "header", name: "x-key" } },
  challenge: { scheme: "ApiKey", parameters: { name: "x-key" } },
  async check(given) {
    const name = given.header("x-key");
    if (name === undefined) return absent;
    return name === "bad" ? invalid("it says so") : known({ subject: name, scopes: ["by-key"] });
  },
};

function both(token: string, name: string): Credentials {
  return credentials({ headers: { authorization: `Bearer ${token}`, "x-key": name } });
}

async function refusal(auth: Authenticator, given: Credentials) {
  const error = await auth.authenticate(given).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { code, message, details, cause } = error as {
    code: string;
    message: string;
    details: { challenges: string[] };
    cause: Error;
  };
  return { code, message, challenges: details.challenges, cause: cause.message };
}

describe("alternatives", () => {
  const auth = createAuthenticator({ schemes: { tokens, key } });

  it("are all the schemes when nothing else is said, and any of them will do", async () => {
    expect(await auth.authenticate(bearer("ada.read"))).toEqual({
      subject: "tokens#ada",
      scopes: ["read"],
      grants: { tokens: ["read"] },
    });
    const byKey = credentials({ headers: { "x-key": "ada" } });
    expect(await auth.authenticate(byKey)).toMatchObject({ subject: "key#ada" });
  });

  it("pass on the claims that a scheme passes on", async () => {
    const claims = { email: "ada@example.com" };
    const verify = async () => known({ subject: "ada", scopes: [], claims });
    const telling = createAuthenticator({ schemes: { any: httpBearer({ verify }) } });
    expect(await telling.authenticate(bearer("x"))).toEqual({
      subject: "any#ada",
      scopes: [],
      grants: { any: [] },
      claims,
    });
    expect(telling.asksForCertificate).toBe(false);
  });

  it("are tried one after the other: a valid credential makes up for an invalid one", async () => {
    expect(await auth.authenticate(both("bad", "ada"))).toMatchObject({ subject: "key#ada" });
  });

  it("are all told to a caller without credentials", async () => {
    verifies("auth:challenge");
    expect(await refusal(auth, credentials())).toEqual({
      code: "UNAUTHENTICATED",
      message:
        'authentication is required: "tokens" (HTTP bearer), or "key" (an API key in the header x-key)',
      challenges: ['Bearer realm="A2A"', 'ApiKey realm="A2A", name="x-key"'],
      cause: "no credentials",
    });
  });

  it("say of an invalid token what RFC 6750 says, and keep the reason to the log", async () => {
    expect(await refusal(auth, both("bad", "bad"))).toEqual({
      code: "UNAUTHENTICATED",
      message: "the credentials are not valid",
      challenges: ['Bearer realm="A2A", error="invalid_token"', 'ApiKey realm="A2A", name="x-key"'],
      cause: "tokens: it says so; key: it says so",
    });
  });

  it("tell two subjects of one name apart by who vouches for them", async () => {
    const subjects = await Promise.all([
      auth.authenticate(bearer("ada")),
      auth.authenticate(credentials({ headers: { "x-key": "ada" } })),
    ]);
    expect(new Set(subjects.map((one) => one?.subject)).size).toBe(2);
  });
});

describe("combinations", () => {
  const auth = createAuthenticator({
    schemes: { tokens, key },
    requirements: [{ tokens: ["read"], key: [] }],
  });

  it("need all of their schemes", async () => {
    expect((await refusal(auth, bearer("ada.read"))).code).toBe("UNAUTHENTICATED");
    const byKey = credentials({ headers: { "x-key": "ada" } });
    expect((await refusal(auth, byKey)).code).toBe("UNAUTHENTICATED");
    expect((await refusal(auth, both("ada.read", "bad"))).code).toBe("UNAUTHENTICATED");
  });

  it("name who is calling by the first, and grant what all of them grant", async () => {
    expect(await auth.authenticate(both("ada.read", "gateway"))).toEqual({
      subject: "tokens#ada",
      scopes: ["read", "by-key"],
      grants: { tokens: ["read"], key: ["by-key"] },
    });
  });
});

describe("scopes", () => {
  it("that a scheme does not grant are a refusal of who is known, and named", async () => {
    const auth = createAuthenticator({
      schemes: { tokens },
      requirements: [{ tokens: ["read", "write"] }],
      realm: 'the "travel" agent',
    });
    expect(await refusal(auth, bearer("ada.read"))).toEqual({
      code: "PERMISSION_DENIED",
      message: "a scope that is required was not granted",
      challenges: [
        'Bearer realm="the \\"travel\\" agent", error="insufficient_scope", scope="read write"',
      ],
      cause: "tokens: read write",
    });
    expect(auth.challenges).toEqual(['Bearer realm="the \\"travel\\" agent", scope="read write"']);
  });

  it("of one scheme do not stand in for another's", async () => {
    const auth = createAuthenticator({
      schemes: { tokens, key },
      requirements: [{ key: [], tokens: ["by-key"] }],
    });
    expect((await refusal(auth, both("ada", "ada"))).code).toBe("PERMISSION_DENIED");
  });
});

describe("a requirement without schemes", () => {
  const auth = createAuthenticator({ schemes: { tokens }, requirements: [{ tokens: [] }, {}] });

  it("admits callers who present nothing, and knows those who do", async () => {
    expect(await auth.authenticate(credentials())).toBeUndefined();
    expect(await auth.authenticate(bearer("ada"))).toMatchObject({ subject: "tokens#ada" });
  });

  it("does not take a caller who presents half of what is needed for one without", async () => {
    const half = createAuthenticator({
      schemes: { tokens, key },
      requirements: [{ tokens: [], key: [] }, {}],
    });
    expect((await refusal(half, bearer("ada"))).cause).toBe("nothing but tokens");
    const byKey = (name: string) => credentials({ headers: { "x-key": name } });
    expect((await refusal(half, byKey("ada"))).cause).toBe("nothing but key");
    expect((await refusal(half, byKey("bad"))).cause).toBe("key: it says so");
    expect(await half.authenticate(credentials())).toBeUndefined();
  });

  it("does not take a caller whose token is invalid for one without", async () => {
    expect((await refusal(auth, bearer("bad"))).code).toBe("UNAUTHENTICATED");
  });
});

describe("the card", () => {
  const card: AgentCard = {
    name: "Travel",
    description: "Books flights",
    version: "1",
    supportedInterfaces: [],
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [{ id: "book", name: "Book", description: "Books", tags: [] }],
  };
  const auth = createAuthenticator({
    schemes: { tokens, key },
    requirements: [{ tokens: ["read"] }, { key: [] }],
    skills: { book: [{ tokens: ["write"] }] },
  });

  it("says what is enforced, of the agent and of its skills", () => {
    verifies("auth:scheme-named");
    expect(auth.declareIn(card)).toEqual({
      ...card,
      securitySchemes: {
        tokens: { httpAuthSecurityScheme: { scheme: "bearer" } },
        key: { apiKeySecurityScheme: { location: "header", name: "x-key" } },
      },
      securityRequirements: [{ schemes: { tokens: { list: ["read"] } } }, { schemes: { key: {} } }],
      skills: [
        { ...card.skills[0], securityRequirements: [{ schemes: { tokens: { list: ["write"] } } }] },
      ],
    });
  });

  it("tells whether a caller may use a skill", async () => {
    const [skill] = auth.declareIn(card).skills;
    const may = async (given: Credentials) =>
      meetsRequirements(await auth.authenticate(given), skill?.securityRequirements);
    expect(await may(bearer("ada.read.write"))).toBe(true);
    expect(await may(bearer("ada.read"))).toBe(false);
    // The key lets the caller in, the token beside it opens the skill.
    expect(await may(both("ada.write", "ada"))).toBe(true);
    expect(await may(both("bad", "ada"))).toBe(false);
  });

  it("is a rule for whoever knows which skill is meant", async () => {
    const authorize = requireSkills(auth.declareIn(card));
    const may = async (token: string, skill?: string) => {
      const resource = skill === undefined ? {} : { skill };
      return authorize(await auth.authenticate(bearer(token)), "sendMessage", resource);
    };
    expect(await may("ada.read.write", "book")).toBe(true);
    expect(await may("ada.read", "book")).toBe("does not meet the requirements of the skill book");
    expect(await may("ada.read", "other")).toBe(true);
    expect(await may("ada.read")).toBe(true);
  });

  it("refuses a skill that it does not have", () => {
    expect(() => auth.declareIn({ ...card, skills: [] })).toThrowError("Travel has no skill book");
  });
});

it.each(["", "\u0000", "a\nb", "\ud800", "x".repeat(1025)])(
  "a subject that no store keeps is not believed: %j",
  async (subject) => {
    const verify = async () => known({ subject, scopes: [] });
    const auth = createAuthenticator({ schemes: { any: httpBearer({ verify }) } });
    expect((await refusal(auth, bearer("x"))).cause).toBe("any: a subject that cannot be stored");
  },
);

describe("mistakes", () => {
  it.each([
    [{ schemes: { "1": tokens } }, '"1" cannot name a scheme'],
    [{ schemes: { tokens }, requirements: [] }, "requirements must not be empty"],
    [
      { schemes: { tokens }, requirements: [{ other: [] }] },
      'the scheme "other", which is not declared',
    ],
    [
      { schemes: { tokens }, skills: { x: [{ other: [] }] } },
      'the scheme "other", which is not declared',
    ],
    [{ schemes: {} }, "requirements must not be empty"],
    [{ schemes: { tokens }, realm: "旅行" }, "ASCII only"],
    [{ schemes: { tokens }, requirements: [{ tokens: ["a\nb"] }] }, "ASCII only"],
  ])("come to light at once", (options, message) => {
    expect(() => createAuthenticator<string>(options as never)).toThrowError(message);
  });
});
