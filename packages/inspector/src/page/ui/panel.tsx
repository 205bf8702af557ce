import type { ComponentChild, ComponentChildren } from "preact";

export interface PanelProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
  readonly tools?: ComponentChildren;
  /** Content reaches the borders: tables and lists. */
  readonly flush?: boolean;
}

export function Panel({ title, tools, children, flush = false }: PanelProps): ComponentChild {
  return (
    <section class="panel">
      <div class="panel-head">
        <h3>{title}</h3>
        {tools === undefined ? null : <div class="toolbar push-right">{tools}</div>}
      </div>
      <div class="panel-body" data-flush={flush ? "" : undefined}>
        {children}
      </div>
    </section>
  );
}
