import type { ComponentChild, ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

export interface Tab<K extends string> {
  readonly key: K;
  readonly label: ComponentChildren;
  readonly title?: string;
}

export interface TabsProps<K extends string> {
  /** What is chosen between, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab<K>[];
  readonly selected: K;
  readonly onSelect: (key: K) => void;
  /** Takes the whole width. */
  readonly wide?: boolean;
  /** The panel that shows what is selected. */
  readonly children?: ComponentChildren;
}

/** Tabs, one in the tab order, the others by arrows. */
export function Tabs<K extends string>(props: TabsProps<K>): ComponentChild {
  const { tabs, selected, onSelect } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ key }) => key === selected);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (to + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (tab === undefined) return;
    onSelect(tab.key);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <>
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label={props.label}
        data-wide={props.wide ? "" : undefined}
        onKeyDown={move}
      >
        {tabs.map(({ key, label, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            class="tab"
            id={`${id}-${key}`}
            title={title}
            aria-selected={key === selected}
            aria-controls={props.children === undefined ? undefined : `${id}-panel`}
            tabIndex={key === selected ? 0 : -1}
            onClick={() => onSelect(key)}
          >
            {label}
          </button>
        ))}
      </div>
      {props.children === undefined ? null : (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
          {props.children}
        </div>
      )}
    </>
  );
}
