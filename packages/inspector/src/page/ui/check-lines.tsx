import type { ComponentChild } from "preact";
import type { CheckLine } from "../../contract/index.js";
import { Chip } from "./chip.js";
import type { Tone } from "./mark.js";

const looks: Readonly<Record<CheckLine["status"], { readonly tone: Tone; readonly word: string }>> =
  {
    passed: { tone: "done", word: "Passed" },
    failed: { tone: "failed", word: "Failed" },
    skipped: { tone: "neutral", word: "Skipped" },
  };

/** The steps of a check, in order. */
export function CheckLines({ lines }: { readonly lines: readonly CheckLine[] }): ComponentChild {
  return (
    <ol class="plain">
      {lines.map(({ name, status, detail }) => (
        <li key={name} class="check-line" data-status={status}>
          <div>
            <Chip tone={looks[status].tone}>{looks[status].word}</Chip>
          </div>
          <div>
            <span class="strong">{name}</span> <span class="soft">{detail}</span>
          </div>
        </li>
      ))}
    </ol>
  );
}
