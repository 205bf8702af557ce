import type { CardCheck } from "../check.js";
import { ok, skipped, warn } from "../finding.js";

/** Tokens and signatures are valid for minutes. */
const toleratedMs = 60_000;

/** The agent's clock agrees with this machine's. */
export const clock: CardCheck = {
  name: "clock",
  proves: "The server's clock and this machine's are less than a minute apart.",
  run({ documents, target }) {
    const used = documents.find(({ url }) => url === target.cardUrl);
    const said = Date.parse(used?.headers.get("date") ?? "");
    // A card from a cache has the time at which it was stored.
    const ageMs = Number(used?.headers.get("age") ?? 0) * 1000;
    if (Number.isNaN(said)) return skipped("the server does not tell its time");
    const apartMs = Date.now() - (said + ageMs);
    const seconds = Math.round(Math.abs(apartMs) / 1000);
    if (Math.abs(apartMs) < toleratedMs) return ok(`${seconds} s apart`);
    return warn(
      `the server's clock is ${seconds} s ${apartMs > 0 ? "behind" : "ahead"}`,
      "synchronize the clocks (NTP): tokens and signatures are refused as too old or not yet valid",
    );
  },
};
