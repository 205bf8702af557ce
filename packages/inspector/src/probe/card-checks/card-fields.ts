import { inferCardVersion } from "@parley/a2a/wire";
import { missingMembers } from "../missing-members.js";
import type { CardCheck } from "../check.js";
import { broken, ok } from "../finding.js";

/** The card has every member that its version requires. Clients made from the schema refuse it otherwise. */
export const cardFields: CardCheck = {
  name: "card-fields",
  proves: "The card has every member that its version of the protocol requires.",
  run({ target }) {
    const version = inferCardVersion(target.document);
    const missing = missingMembers(target.document);
    if (missing.length === 0)
      return ok(`a card of ${version} with ${target.card.skills.length} skills`);
    const [them, these] = missing.length === 1 ? ["it", "this member"] : ["them", "these members"];
    return broken(
      `the card lacks ${missing.slice(0, 12).join(", ")}`,
      `add ${them}; ${version} requires ${these}, and clients made from its schema refuse the card`,
    );
  },
};
