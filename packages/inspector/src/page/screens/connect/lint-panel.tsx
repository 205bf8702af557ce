import type { ComponentChild } from "preact";
import type { LintItem, Severity } from "../../../contract/index.js";
import { Chip, Panel } from "../../ui/index.js";
import type { Tone } from "../../ui/index.js";

const tones: Readonly<Record<Severity, Tone>> = {
  error: "failed",
  warning: "waiting",
  note: "neutral",
};

const words: Readonly<Record<Severity, string>> = {
  error: "Error",
  warning: "Warning",
  note: "Note",
};

/** What callers will stumble over, and how to mend it. */
export function LintPanel({ items }: { readonly items: readonly LintItem[] }): ComponentChild {
  const title = items.length === 0 ? "Card check" : `Card check · ${items.length}`;
  return (
    <Panel title={title} flush>
      {items.length === 0 ? (
        <div class="panel-body">
          <Chip tone="done">Nothing to mend</Chip>
        </div>
      ) : (
        <ul class="plain">
          {items.map(({ rule, severity, path, problem, fix }) => (
            <li
              key={`${rule} ${path}`}
              class="lint-item"
              data-testid="lint-item"
              data-rule={rule}
              data-severity={severity}
            >
              <div>
                <Chip tone={tones[severity]}>{words[severity]}</Chip>
              </div>
              <div>
                <p>{problem}</p>
                <p class="soft">{fix}</p>
                <p class="soft mono">
                  {path === "" ? "card" : path} · {rule}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
