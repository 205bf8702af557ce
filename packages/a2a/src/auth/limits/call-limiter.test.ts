import { describe, expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import { CallLimiter } from "./call-limiter.js";

function refusalOf(work: () => unknown): A2AError {
  try {
    work();
  } catch (error) {
    if (A2AError.is(error)) return error;
  }
  throw new Error("it was not refused");
}

describe("a limiter", () => {
  it("refuses too many calls of one caller, and says when to come back", () => {
    let time = 0;
    const rate = { perSecond: 0.1, burst: 1 };
    const limiter = new CallLimiter(
      { perPrincipal: { requests: rate }, perAddress: { requests: rate } },
      { now: () => time },
    );
    limiter.admitPrincipal("ann");
    limiter.admitAddress("192.0.2.1");
    time = 2000;
    for (const attempt of [
      () => limiter.admitPrincipal("ann"),
      () => limiter.admitAddress("192.0.2.1"),
    ]) {
      const { code, details } = refusalOf(attempt);
      expect([code, details.retryAfterSeconds]).toEqual(["RESOURCE_EXHAUSTED", 8]);
    }
    limiter.admitPrincipal("bob");
    limiter.admitAddress("192.0.2.2");
    time = 10_000;
    limiter.admitPrincipal("ann");
  });

  it("counts all addresses of one IPv6 network as one", () => {
    const limiter = new CallLimiter({ perAddress: { requests: { perSecond: 1, burst: 1 } } });
    limiter.admitAddress("2001:db8::1");
    expect(refusalOf(() => limiter.admitAddress("2001:db8::2")).code).toBe("RESOURCE_EXHAUSTED");
  });

  it("counts streams while they are open, by caller and by address", () => {
    const limiter = new CallLimiter({
      perPrincipal: { concurrentStreams: 1 },
      perAddress: { concurrentStreams: 2 },
    });
    const close = limiter.openStream({ subject: "ann", address: "192.0.2.1" });
    const again = { subject: "ann", address: "192.0.2.2" };
    const refused = refusalOf(() => limiter.openStream(again));
    expect([refused.code, refused.details.retryAfterSeconds]).toEqual(["RESOURCE_EXHAUSTED", 1]);
    limiter.openStream({ subject: "bob", address: "192.0.2.1" });
    expect(refusalOf(() => limiter.openStream({ address: "192.0.2.1" })).code).toBe(
      "RESOURCE_EXHAUSTED",
    );
    close();
    close();
    limiter.openStream({ address: "192.0.2.1" });
    expect(refusalOf(() => limiter.openStream({ address: "192.0.2.1" })).code).toBe(
      "RESOURCE_EXHAUSTED",
    );
    limiter.openStream(again);
  });

  it("grants one node's part of the limits, whatever the number of nodes becomes", () => {
    let nodes = 3;
    let time = 0;
    const limiter = new CallLimiter(
      {
        perPrincipal: { requests: { perSecond: 3, burst: 6 }, concurrentStreams: 5 },
        perAddress: { requests: { perSecond: 1, burst: 1 }, concurrentStreams: 0 },
      },
      { now: () => time, liveNodes: () => nodes },
    );
    const admit = () => limiter.admitPrincipal("ann");
    for (let count = 0; count < 2; count += 1) admit();
    expect(refusalOf(admit).details.retryAfterSeconds).toBe(1);
    limiter.openStream({ subject: "ann" });
    expect(refusalOf(() => limiter.openStream({ subject: "ann" })).code).toBe("RESOURCE_EXHAUSTED");
    expect(() => limiter.openStream({ address: "192.0.2.1" })).toThrow("0 streams");
    // A part is one call at least, however many nodes there are.
    limiter.admitAddress("192.0.2.1");
    // The others have ended: this node grants all of it.
    nodes = 1;
    time = 2000;
    for (let count = 0; count < 6; count += 1) admit();
    expect(refusalOf(admit).details.retryAfterSeconds).toBeCloseTo(1 / 3);
    for (let count = 1; count < 5; count += 1) limiter.openStream({ subject: "ann" });
    expect(refusalOf(() => limiter.openStream({ subject: "ann" })).code).toBe("RESOURCE_EXHAUSTED");
  });

  it("holds nothing of streams that were closed, and little of callers however many there are", () => {
    const limiter = new CallLimiter(
      {
        perPrincipal: { requests: { perSecond: 1, burst: 5 }, concurrentStreams: 5 },
        perAddress: { requests: { perSecond: 1, burst: 5 } },
      },
      { maxCallers: 50 },
    );
    for (let number = 0; number < 10_000; number += 1) {
      const subject = `caller ${number}`;
      try {
        limiter.admitAddress(`10.0.${number >> 8}.${number & 255}`);
        limiter.admitPrincipal(subject);
      } catch {
        // Who comes with ten thousand names shares one of them.
      }
      limiter.openStream({ subject })();
    }
    expect(limiter.size).toBeLessThanOrEqual(100);
  });

  it("limits nobody who cannot be told from others, and nothing that has no limit", () => {
    const limiter = new CallLimiter({ perAddress: { requests: { perSecond: 1, burst: 1 } } });
    for (let count = 0; count < 10; count += 1) {
      limiter.admitAddress(undefined);
      limiter.admitPrincipal("ann");
      limiter.admitPrincipal(undefined);
      limiter.openStream({ subject: "ann", address: "192.0.2.1" });
    }
    expect(limiter.size).toBe(0);
  });
});
