import type { ComponentChild, ComponentChildren } from "preact";

const allowed = new Set(["http:", "https:", "mailto:"]);

/** A link that came from outside: http, https and mailto in a new tab, anything else as text. */
export function SafeLink(props: {
  readonly url: string;
  readonly children: ComponentChildren;
}): ComponentChild {
  if (!URL.canParse(props.url) || !allowed.has(new URL(props.url).protocol)) {
    return <span title={props.url}>{props.children}</span>;
  }
  return (
    <a href={props.url} target="_blank" rel="noopener noreferrer">
      {props.children}
    </a>
  );
}
