import type { InterfaceCheck } from "../check.js";
import { broken, ok, skipped, warn } from "@parley/inspector/probe";
import { isRefusal } from "./answers.js";

/** The extended card is there if the card says so. */
export const extendedCard: InterfaceCheck = {
  name: "extended-card",
  proves: "There is an extended card if the card declares one, and none otherwise.",
  async run({ session, target }) {
    if (session.version === "0.1") return skipped("0.1 has no extended cards");
    const isDeclared = target.card.capabilities.extendedAgentCard === true;
    const { result, error } = await session.call("getExtendedAgentCard", {});
    if (result !== undefined) {
      if (isDeclared) return ok(`${JSON.stringify(result.name)}, ${result.skills.length} skills`);
      return warn(
        "the agent has an extended card, and its card does not declare one",
        "declare capabilities.extendedAgentCard: true (before 1.0: supportsAuthenticatedExtendedCard)",
      );
    }
    if (!isDeclared) return ok("not declared, and not served");
    if (error !== undefined && isRefusal(error)) return ok("declared, and kept for known callers");
    return broken(
      `the card declares an extended card, and asking for it is answered with ${error?.code}: ${error?.message}`,
      "configure the extended card, or declare capabilities.extendedAgentCard: false (before 1.0: supportsAuthenticatedExtendedCard)",
    );
  },
};
