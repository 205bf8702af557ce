import { describe, expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import type { AgentCard, Authenticator, Credentials } from "../../protocol/internal.js";
import type { AuditEvent } from "../audit-log.js";
import { CallLimiter } from "../limits/call-limiter.js";
import { watchAuthentication } from "./watch-authentication.js";

const secret = "Bearer very-secret";

function credentials(more: Partial<Credentials> = {}): Credentials {
  return {
    header: () => secret,
    query: () => secret,
    cookie: () => secret,
    address: "192.0.2.1",
    requestId: "r-1",
    ...more,
  };
}

const authenticator: Authenticator = {
  challenges: ['Bearer realm="A2A"'],
  asksForCertificate: true,
  declareIn: (card) => ({ ...card, name: `${card.name} declared` }),
  authenticate: async ({ requestId }) => {
    if (requestId === "r-bad") {
      throw new A2AError("UNAUTHENTICATED", "no", { cause: new Error("bearer: expired") });
    }
    if (requestId === "r-broken") throw new Error(secret);
    return requestId === "r-unknown" ? undefined : { subject: "ann", claims: { token: secret } };
  },
};

function watch(behind: Authenticator | undefined, limiter?: CallLimiter) {
  const audited: AuditEvent[] = [];
  const watched = watchAuthentication(behind, {
    audit: { record: (event) => audited.push(event) },
    now: () => 0,
    ...(limiter !== undefined && { limiter }),
  });
  return { watched, audited };
}

describe("authentication that is watched", () => {
  it("is written down with who it was, and nothing of how it was shown", async () => {
    const { watched, audited } = watch(authenticator);
    expect((await watched.authenticate(credentials()))?.subject).toBe("ann");
    expect(await watched.authenticate(credentials({ requestId: "r-unknown" }))).toBeUndefined();
    const at = "1970-01-01T00:00:00.000Z";
    const address = "192.0.2.1";
    const allowed = { at, address, decision: "authentication", outcome: "allowed" };
    expect(audited).toEqual([
      { ...allowed, requestId: "r-1", subject: "ann" },
      { ...allowed, requestId: "r-unknown" },
    ]);
  });

  it("is written down with the reason when it fails, but not with what broke", async () => {
    const { watched, audited } = watch(authenticator);
    await expect(watched.authenticate(credentials({ requestId: "r-bad" }))).rejects.toThrow("no");
    await expect(watched.authenticate(credentials({ requestId: "r-broken" }))).rejects.toThrow();
    expect(audited).toMatchObject([
      { outcome: "denied", code: "UNAUTHENTICATED", reason: "bearer: expired" },
      { outcome: "denied", code: "INTERNAL" },
    ]);
    expect(JSON.stringify(audited)).not.toContain("very-secret");
  });

  it("counts the attempts of an address, those that fail too, and stops before they are looked at", async () => {
    const limiter = new CallLimiter({ perAddress: { requests: { perSecond: 1, burst: 2 } } });
    const { watched, audited } = watch(authenticator, limiter);
    const bad = credentials({ requestId: "r-bad" });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(watched.authenticate(bad)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    }
    await expect(watched.authenticate(bad)).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
    expect(audited.at(-1)).toMatchObject({ decision: "limit", outcome: "denied" });
    await watched.authenticate(credentials({ address: "192.0.2.2" }));
  });

  it("declares and asks for what is behind it", () => {
    const { watched } = watch(authenticator);
    expect(watched.challenges).toBe(authenticator.challenges);
    expect(watched.asksForCertificate).toBe(true);
    expect(watched.declareIn({ name: "Echo" } as AgentCard).name).toBe("Echo declared");
  });

  it("lets everyone stay unknown where there is nothing behind it, and counts them", async () => {
    const limiter = new CallLimiter({ perAddress: { requests: { perSecond: 1, burst: 1 } } });
    const { watched } = watch(undefined, limiter);
    const card = { name: "Echo" } as AgentCard;
    expect(watched.declareIn(card)).toBe(card);
    expect(await watched.authenticate(credentials())).toBeUndefined();
    await expect(watched.authenticate(credentials())).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
    });
  });
});
