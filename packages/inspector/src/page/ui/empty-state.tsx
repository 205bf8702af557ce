import type { ComponentChild, ComponentChildren } from "preact";

/** Nothing here yet: what it will be, and the next step, with its command where there is one. */
export function EmptyState(props: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly command?: string;
  readonly action?: ComponentChildren;
}): ComponentChild {
  return (
    <div class="empty">
      <h3>{props.title}</h3>
      {props.children === undefined ? null : <p>{props.children}</p>}
      {props.command === undefined ? null : <code class="command">{props.command}</code>}
      {props.action}
    </div>
  );
}
