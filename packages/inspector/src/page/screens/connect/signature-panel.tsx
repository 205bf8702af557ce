import type { ComponentChild } from "preact";
import type { SignatureCheck } from "../../../contract/index.js";
import { CheckLines, Chip, Panel } from "../../ui/index.js";
import type { Tone } from "../../ui/index.js";

const looks: Readonly<
  Record<SignatureCheck["status"], { readonly tone: Tone; readonly word: string }>
> = {
  verified: { tone: "done", word: "Verified" },
  unverifiable: { tone: "waiting", word: "Cannot be verified" },
  invalid: { tone: "failed", word: "Invalid" },
  absent: { tone: "neutral", word: "Not signed" },
};

/** The signature of the card, checked line by line. */
export function SignaturePanel({ check }: { readonly check: SignatureCheck }): ComponentChild {
  const { tone, word } = looks[check.status];
  return (
    <Panel title="Signature" tools={<Chip tone={tone}>{word}</Chip>} flush>
      {check.lines.length === 0 ? (
        <p class="panel-body soft">The card has no signature: nothing proves who wrote it.</p>
      ) : (
        <CheckLines lines={check.lines} />
      )}
    </Panel>
  );
}
