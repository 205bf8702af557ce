import type { ComponentChild, ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "./button.js";

export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
}

/** A button that opens a list of actions. Escape and a click elsewhere close it; arrows move in it. */
export function Menu(props: {
  readonly label: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly kind?: "plain" | "quiet";
  readonly testId?: string;
}): ComponentChild {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    box.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const close = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", close);
    return () => removeEventListener("pointerdown", close);
  }, [isOpen]);
  const move = (event: KeyboardEvent): void => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape") {
      setOpen(false);
      box.current?.querySelector("button")?.focus();
    } else if (to === undefined) return;
    else items[(to + items.length) % items.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={box} onKeyDown={isOpen ? move : undefined}>
      <Button
        onClick={() => setOpen(!isOpen)}
        expanded={isOpen}
        {...(props.kind === undefined ? {} : { kind: props.kind })}
        {...(props.testId === undefined ? {} : { testId: props.testId })}
      >
        {props.label}
      </Button>
      {isOpen ? (
        <div class="menu-list" role="menu">
          {props.items.map(({ label, onChoose }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              class="menu-item"
              onClick={() => {
                setOpen(false);
                onChoose();
              }}
            >
              {label}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
