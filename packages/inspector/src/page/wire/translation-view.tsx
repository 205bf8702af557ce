import type { ComponentChild } from "preact";
import type { Column } from "../../model/translate/columns.js";
import { Chip, JsonView } from "../ui/index.js";
import type { Translated } from "./use-translations.js";

/** A document in a dialect. What the dialect cannot say is struck through, and the reason stands below. */
export function TranslationView(props: {
  readonly label: string;
  readonly translated: Translated | undefined;
  readonly column: Column;
}): ComponentChild {
  const { label, translated, column } = props;
  if (translated === undefined) return null;
  const { translation, text } = translated;
  const lost = translation?.losses.length ?? 0;
  const isUnsaid =
    translation !== undefined &&
    translation.document === undefined &&
    translation.line === undefined;
  return (
    <div
      class="stack-tight"
      data-testid="translation"
      data-dialect={column}
      data-lossy={lost > 0 || (isUnsaid && translation.reasons.length > 0)}
    >
      <h3 class="label">{label}</h3>
      {text === undefined ? null : text === "" ? (
        <p class="label">No body</p>
      ) : (
        <pre class="code" data-wrap tabIndex={0}>
          {text.slice(0, 20_000)}
        </pre>
      )}
      {translation?.line === undefined ? null : (
        <p class="mono wire-request-line">{translation.line}</p>
      )}
      {translation?.document === undefined ? null : (
        <JsonView value={translation.document} label={label} lost={translation.lost} />
      )}
      {translation === undefined || translation.reasons.length === 0 ? null : (
        <div class="losses">
          <Chip tone="waiting">{isUnsaid ? "Cannot be said" : `${lost} lost`}</Chip>
          <span class="soft">{translation.reasons.join(" ")}</span>
        </div>
      )}
    </div>
  );
}
