import type { ComponentChild, ComponentChildren } from "preact";

/** The head of a pane: its title, what belongs to it, and its buttons at the right. */
export function PaneHead(props: {
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly tools?: ComponentChildren;
}): ComponentChild {
  return (
    <div class="pane-head">
      <h2 class="cut">{props.title}</h2>
      {props.children}
      {props.tools === undefined ? null : <Toolbar>{props.tools}</Toolbar>}
    </div>
  );
}

/** Buttons in a row, at the right. */
export function Toolbar({ children }: { readonly children: ComponentChildren }): ComponentChild {
  return <div class="toolbar push-right">{children}</div>;
}
