import type { LintItem, Severity } from "../../contract/index.js";
import { cardChecks, cardProblems, reasonOf } from "../../probe/index.js";
import type { Verdict, Visit } from "../../probe/index.js";

const severities: Partial<Record<Verdict, Severity>> = { error: "error", warn: "warning" };

/** The part of the card that a check is about. */
const paths: Readonly<Record<string, string>> = {
  "card-fields": "",
  "card-interfaces": "supportedInterfaces",
  "card-addresses": "supportedInterfaces",
  "card-security": "securitySchemes",
  "card-signature": "signatures",
  "push-keys": "capabilities.extensions",
};

/** What is wrong with a card and with how it is served: all that the doctor's checks of cards find. */
export async function lintCard(visit: Visit): Promise<readonly LintItem[]> {
  const items: LintItem[] = [];
  for (const check of cardChecks) {
    try {
      const { verdict, found, fix = "" } = await check.run(visit);
      const severity = severities[verdict];
      if (severity === undefined) continue;
      const path = paths[check.name] ?? "";
      items.push({ rule: check.name, severity, path, problem: found, fix });
    } catch (error) {
      const problem = `the check failed: ${reasonOf(error)}`;
      items.push({ rule: check.name, severity: "note", path: "", problem, fix: "look again" });
    }
  }
  return [...items, ...fieldItems(visit), ...adviceFor(visit)];
}

/** What is wrong with members of a card of 1.0, each by its path. */
function fieldItems({ target }: Visit): readonly LintItem[] {
  const { document } = target;
  const isCurrent =
    typeof document === "object" && document !== null && "supportedInterfaces" in document;
  if (!isCurrent) return [];
  return cardProblems(document)
    .slice(0, 50)
    .map((problem) => {
      const path = /^([\w.[\]]+)/.exec(problem)?.[1] ?? "";
      const isMissing = problem.endsWith(" is missing");
      const fix = isMissing ? `add ${path}` : `correct ${path === "" ? "the card" : path}`;
      return { rule: "card-member", severity: "error", path, problem, fix } as const;
    });
}

/** What helps people and agents who read the card. */
function adviceFor({ target }: Visit): readonly LintItem[] {
  return target.card.skills.flatMap(({ examples, id }, index) =>
    examples === undefined || examples.length === 0
      ? [
          {
            rule: "skill-examples",
            severity: "note",
            path: `skills[${index}].examples`,
            problem: `the skill ${id} has no examples`,
            fix: "add one or two messages that the skill understands; tools offer them to people",
          } as const,
        ]
      : [],
  );
}
