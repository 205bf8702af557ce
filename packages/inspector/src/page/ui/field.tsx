import type { ComponentChild } from "preact";
import { useId } from "preact/hooks";

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "url" | "password" | "number";
  readonly placeholder?: string;
  readonly note?: string;
  readonly error?: string;
  /** Several lines. */
  readonly rows?: number;
  readonly mono?: boolean;
  readonly testId?: string;
  /** `/` goes there. */
  readonly search?: boolean;
  /** Enter; where there are several lines, Ctrl and Enter. */
  readonly onEnter?: () => void;
}

/** A labelled text field. */
export function Field(props: FieldProps): ComponentChild {
  const id = useId();
  const said = props.error ?? props.note;
  const common = {
    id,
    class: props.mono ? "input mono" : "input",
    value: props.value,
    placeholder: props.placeholder,
    spellcheck: false,
    autocomplete: "off",
    "aria-invalid": props.error !== undefined,
    "aria-describedby": said === undefined ? undefined : `${id}-said`,
    "data-testid": props.testId,
    "data-search": props.search ? "" : undefined,
  };
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {props.label}
      </label>
      {props.rows === undefined ? (
        <input
          {...common}
          // Preact types each kind of input apart; these share what is used here.
          type={(props.type ?? "text") as "text"}
          onInput={(event) => props.onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") props.onEnter?.();
          }}
        />
      ) : (
        <textarea
          {...common}
          rows={props.rows}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) props.onEnter?.();
          }}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
      {said === undefined ? null : (
        <p id={`${id}-said`} class={props.error === undefined ? "field-note" : "field-error"}>
          {said}
        </p>
      )}
    </div>
  );
}

/** A labelled choice. */
export function Choice<K extends string>(props: {
  readonly label: string;
  readonly value: K;
  readonly options: readonly { readonly key: K; readonly label: string }[];
  readonly onChange: (value: K) => void;
}): ComponentChild {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {props.label}
      </label>
      <select
        id={id}
        class="input"
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as K)}
      >
        {props.options.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
