import type { ComponentChild, ComponentChildren } from "preact";

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  /** One `filled` button a screen: its main action. */
  readonly kind?: "plain" | "filled" | "quiet" | "danger";
  /** `icon` buttons need a label; `text` ones look like links. */
  readonly shape?: "icon" | "text";
  readonly label?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly testId?: string;
}

export function Button(props: ButtonProps): ComponentChild {
  return (
    <button
      type="button"
      class="button"
      data-kind={props.kind}
      data-shape={props.shape}
      data-testid={props.testId}
      aria-label={props.label}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      title={props.title ?? (props.shape === "icon" ? props.label : undefined)}
      disabled={props.disabled}
      onClick={() => props.onClick()}
    >
      {props.children}
    </button>
  );
}
