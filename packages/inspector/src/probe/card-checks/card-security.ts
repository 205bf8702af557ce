import type { CardCheck } from "../check.js";
import { broken, ok, warn } from "../finding.js";

/** What the card requires of callers is described in it. */
export const cardSecurity: CardCheck = {
  name: "card-security",
  proves:
    "Every scheme that the card requires is described in it, and every one described is in use.",
  run({ target }) {
    const { securitySchemes = {}, securityRequirements = [], skills } = target.card;
    const all = [
      ...securityRequirements,
      ...skills.flatMap((skill) => skill.securityRequirements ?? []),
    ];
    const required = new Set(all.flatMap(({ schemes }) => Object.keys(schemes)));
    const described = Object.keys(securitySchemes);
    const undescribed = [...required].filter((name) => !described.includes(name));
    if (undescribed.length > 0) {
      return broken(
        `the card requires ${undescribed.join(", ")}, and its securitySchemes do not describe ${undescribed.length === 1 ? "it" : "them"}`,
        `describe ${undescribed.join(", ")} in securitySchemes, by the same name`,
      );
    }
    if (described.length === 0) return ok("the card requires no credentials");
    if (required.size === 0) {
      return warn(
        `the card describes ${described.join(", ")}, and requires none of them`,
        "list in securityRequirements (before 1.0: security) which schemes callers need",
      );
    }
    return ok(`requires ${[...required].join(", ")}`);
  },
};
