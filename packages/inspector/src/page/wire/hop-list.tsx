import type { ComponentChild } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatDuration } from "../../model/format.js";
import { setQuery } from "../router/route.js";
import type { KnownHop } from "../state/hops.js";

/** Those that a person looks at; the address reaches all. */
const most = 100;

/** The hops, newest last. Arrows go from one to the next. */
export function HopList({
  hops,
  selected,
}: {
  readonly hops: readonly KnownHop[];
  readonly selected: number;
}): ComponentChild {
  const box = useRef<HTMLDivElement>(null);
  const shown = hops.slice(-most);
  const latest = shown.at(-1)?.summary.id;
  useLayoutEffect(() => {
    const row = box.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (box.current !== null && row !== null && row !== undefined) {
      box.current.scrollTop =
        row.offsetTop - box.current.offsetTop - box.current.clientHeight + row.offsetHeight;
    }
  }, [selected, latest]);
  const choose = (id: number | undefined): void => {
    if (id !== undefined) setQuery({ hop: id === latest ? undefined : String(id) });
  };
  return (
    <div
      ref={box}
      class="hops"
      role="listbox"
      aria-label="Hops"
      tabIndex={0}
      aria-activedescendant={`hop-${selected}`}
      onKeyDown={(event) => {
        const at = shown.findIndex(({ summary }) => summary.id === selected);
        const to = {
          ArrowDown: at + 1,
          ArrowUp: at - 1,
          Home: 0,
          End: shown.length - 1,
          j: at + 1,
          k: at - 1,
        }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        choose(shown[to]?.summary.id);
      }}
    >
      {shown.map(({ summary: hop }) => (
        <div
          key={hop.id}
          id={`hop-${hop.id}`}
          class="hop"
          role="option"
          tabIndex={-1}
          aria-selected={hop.id === selected}
          data-testid="hop"
          data-hop={hop.id}
          data-dialect={hop.dialect ?? hop.version}
          onClick={() => choose(hop.id)}
        >
          <span class="mono soft number">{hop.id}</span>
          <span class="cut">
            {hop.operation ?? pathOf(hop.url)}
            {hop.resentFrom === undefined ? null : (
              <span class="soft"> edited from {hop.resentFrom}</span>
            )}
          </span>
          <Status status={hop.status} error={hop.error} />
          <span class="mono soft number">
            {hop.timing.endedAt === undefined
              ? "live"
              : formatDuration(hop.timing.endedAt - hop.timing.startedAt)}
          </span>
        </div>
      ))}
    </div>
  );
}

export function Status(props: {
  readonly status: number | undefined;
  readonly error: string | undefined;
}): ComponentChild {
  const { status, error } = props;
  const tone =
    error !== undefined || (status ?? 0) >= 400
      ? "failed"
      : status === undefined
        ? "working"
        : "done";
  return (
    <span class="mono status" data-tone={tone} title={error}>
      {status ?? (error === undefined ? "…" : "failed")}
    </span>
  );
}

export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
