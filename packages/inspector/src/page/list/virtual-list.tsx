import { Component } from "preact";
import type { ComponentChild } from "preact";
import { useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Heights } from "./heights.js";
import { useCalm } from "./use-calm.js";

/** Rows that a list shows. A row is known by its index; its content by its key, so that it is drawn again when that changes. */
export interface ListRows {
  readonly length: number;
  keyOf(row: number): string;
  /** A height to begin with: rows are measured once they are shown, unless the style sheet fixes their heights. */
  estimate(row: number): number;
  readonly areFixed: boolean;
  draw(row: number): ComponentChild;
  /** Attributes of the element of a row, such as `data-testid`. */
  attributes(row: number): Readonly<Record<`data-${string}`, string | number | undefined>>;
  /** Whether it can be selected. */
  canSelect(row: number): boolean;
}

export interface VirtualListProps {
  readonly label: string;
  readonly rows: ListRows;
  /** Changes when other rows are shown: their heights are then unknown. */
  readonly identity: unknown;
  /** Counts up when rows were added at the end, or the last ones have changed. */
  readonly version: number;
  /** Shows the last row first. */
  readonly isReversed?: boolean;
  readonly selected: number;
  readonly onSelect: (row: number) => void;
  /** Enter, or a click on a selected row. */
  readonly onOpen?: (row: number) => void;
  /** Gets the keys that the list does not know. */
  readonly onOtherKey?: (event: KeyboardEvent) => void;
  /** Keeps the newest row in sight. */
  readonly isFollowing: boolean;
  /** A person has scrolled away from the newest row. */
  readonly onLeave?: () => void;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const overscan = 2;

/** How often the list follows a selection that changes all the time, as it does under a slider. */
const followMs = 50;

/**
 * A list that holds sixty frames a second however many rows it has. It draws what is in sight, measures each row once,
 * and keeps where it is when a height above turns out to be another.
 *
 * It knows where it is scrolled to, and draws for the place that it is about to scroll to: a move costs one drawing and
 * one layout. It follows the selection a frame later, so that whatever selects need not wait for its rows. Keys count from
 * the selection itself.
 */
export function VirtualList(props: VirtualListProps): ComponentChild {
  const { rows, identity, version, isReversed = false, isFollowing } = props;
  const selected = useCalm(props.selected, followMs, identity);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => new Heights(), [identity]);
  const measured = useMemo(() => new Set<number>(), [identity]);
  const seen = useRef({ identity, version: -1 });
  const [, setDrawings] = useState(0);
  const draw = (): void => setDrawings((known) => known + 1);
  /** What is in sight, as the last scroll, resize or move of this list has left it. */
  const sight = useRef({ top: 0, height: 0 });
  /** Where this list has put itself: a scroll that ends elsewhere is a person's. */
  const placed = useRef(0);
  const drawn = useRef<Range>({ from: 0, to: 0 });

  const isOther = seen.current.identity !== identity || seen.current.version !== version;
  if (isOther || rows.length !== heights.length) {
    seen.current = { identity, version };
    // The last rows may have changed their kinds, as an entry does that becomes a row of chunks.
    heights.truncate(Math.min(rows.length, heights.length) - 2);
    for (let row = heights.length; row < rows.length; row += 1) {
      heights.push(rows.estimate(row));
      measured.delete(row);
    }
  }

  const count = rows.length;
  const rowOf = (visual: number): number => (isReversed ? count - 1 - visual : visual);
  const topOf = (row: number): number =>
    isReversed ? heights.total - heights.offset(row + 1) : heights.offset(row);

  const rangeInSight = (): Range => {
    const { top, height } = sight.current;
    const first = isReversed
      ? heights.rowAt(Math.max(0, heights.total - top - 0.5))
      : heights.rowAt(top);
    const last = isReversed
      ? heights.rowAt(Math.max(0, heights.total - top - height))
      : heights.rowAt(top + height);
    return {
      from: Math.max(0, rowOf(first) - overscan),
      to: Math.min(count, rowOf(last) + 1 + overscan),
    };
  };

  /** Draws again if other rows are in sight now. */
  const look = (): void => {
    const { from, to } = rangeInSight();
    if (from !== drawn.current.from || to !== drawn.current.to) draw();
  };

  const scrollTo = (place: number): void => {
    const element = box.current;
    if (element === null) return;
    element.scrollTop = place;
    placed.current = element.scrollTop;
    sight.current.top = placed.current;
  };

  /** Where the list has to scroll to, so that the newest row or the selected one is in sight. */
  const moved = useRef<readonly unknown[]>([]);
  const chosen = useRef<readonly unknown[]>([]);
  const { top: topBefore, height: sightHeight } = sight.current;
  let target: number | undefined;
  if (sightHeight > 0) {
    const end = Math.max(0, heights.total - sightHeight);
    const isMoved = differs(moved, [identity, version, isFollowing, isReversed, count]);
    const isChosen = differs(chosen, [selected, identity, isReversed]);
    if (isFollowing) {
      if (isMoved) target = isReversed ? 0 : end;
    } else if (isChosen && selected >= 0 && selected < count) {
      const rowTop = topOf(selected);
      const bottom = rowTop + heights.heightOf(selected);
      const isFar = bottom < topBefore - sightHeight || rowTop > topBefore + 2 * sightHeight;
      if (isFar) target = Math.min(end, Math.max(0, (rowTop + bottom - sightHeight) / 2));
      else if (rowTop < topBefore) target = rowTop;
      else if (bottom > topBefore + sightHeight) target = bottom - sightHeight;
    }
    if (target !== undefined) sight.current.top = target;
  }
  const before = drawn.current;
  const range = rangeInSight();
  drawn.current = range;

  useLayoutEffect(() => {
    if (target === topBefore) placed.current = target;
    else if (target !== undefined) scrollTo(target);
  });

  // Rows that are new are measured: all reads, then all writes.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || rows.areFixed) return;
    const found: [row: number, height: number][] = [];
    for (const child of element.querySelectorAll<HTMLElement>(".list-row")) {
      const row = Number(child.dataset["row"]);
      if (row >= count || measured.has(row)) continue;
      measured.add(row);
      found.push([row, child.offsetHeight]);
    }
    const { top } = sight.current;
    let above = 0;
    let changed = false;
    for (const [row, height] of found) {
      const isAbove = topOf(row) < top;
      const change = heights.set(row, height);
      if (change === 0) continue;
      changed = true;
      if (isAbove) above += change;
    }
    if (!changed) return;
    draw();
    // The new heights move the end: a list that follows it has to go there again, once it is as long as they say.
    requestAnimationFrame(() => {
      if (isFollowing) scrollTo(isReversed ? 0 : heights.total);
      look();
    });
    if (above !== 0 && !isFollowing) scrollTo(top + above);
  });

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      const { clientHeight } = element;
      if (clientHeight === sight.current.height) return;
      sight.current = { top: element.scrollTop, height: clientHeight };
      draw();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const onScroll = (): void => {
    const top = box.current?.scrollTop ?? 0;
    sight.current.top = top;
    const isAtNewest = isReversed ? top < 24 : top + sight.current.height > heights.total - 24;
    if (isFollowing && !isAtNewest && top !== placed.current) props.onLeave?.();
    look();
  };

  const move = (visual: number, direction: 1 | -1): void => {
    for (let next = visual; next >= 0 && next < count; next += direction) {
      if (rows.canSelect(rowOf(next))) {
        props.onSelect(rowOf(next));
        return;
      }
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey) {
      props.onOtherKey?.(event);
      return;
    }
    const at = rowOf(props.selected);
    const page = Math.max(1, range.to - range.from - 2 * overscan - 1);
    if (event.key === "ArrowDown" || event.key === "j") move(at + 1, 1);
    else if (event.key === "ArrowUp" || event.key === "k") move(at - 1, -1);
    else if (event.key === "PageDown") move(Math.min(count - 1, at + page), 1);
    else if (event.key === "PageUp") move(Math.max(0, at - page), -1);
    else if (event.key === "Home") move(0, 1);
    else if (event.key === "End") move(count - 1, -1);
    else if (event.key === "Enter") props.onOpen?.(props.selected);
    else {
      props.onOtherKey?.(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  // As many elements as are ever in sight, each taken again for another row. After a jump they stay in their order:
  // the browser need not move them.
  const slots = useRef({ size: 0, shift: 0 });
  slots.current.size = Math.max(slots.current.size, range.to - range.from);
  if (range.from >= before.to || range.to <= before.from)
    slots.current.shift += range.from - before.from;
  const { size, shift } = slots.current;
  const shown: ComponentChild[] = [];
  for (let visual = range.from; visual < Math.min(range.to, count); visual += 1) {
    const row = rowOf(visual);
    shown.push(
      <ListRow
        key={(((visual - shift) % size) + size) % size}
        id={`${id}-${row}`}
        row={row}
        top={topOf(row)}
        content={rows.keyOf(row)}
        rows={rows}
        isSelected={row === selected}
        position={visual + 1}
        count={count}
        onPress={press}
      />,
    );
  }
  // One function for all rows and all times, so that rows are not drawn for its sake.
  const latest = useRef(props);
  latest.current = props;
  const isSelectedShown =
    rowOf(selected) >= range.from && rowOf(selected) < range.to && selected >= 0;

  function press(row: number): void {
    const { selected: known, rows: those, onOpen, onSelect } = latest.current;
    if (!those.canSelect(row)) return;
    if (row === known) onOpen?.(row);
    else onSelect(row);
  }

  return (
    <div
      ref={box}
      class="list"
      role="listbox"
      aria-label={props.label}
      aria-activedescendant={isSelectedShown ? `${id}-${selected}` : undefined}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div class="list-space" role="presentation" style={{ height: `${heights.total}px` }}>
        {shown}
      </div>
    </div>
  );
}

/** Whether values are others than the last time. */
function differs(last: { current: readonly unknown[] }, values: readonly unknown[]): boolean {
  const isSame = values.every((value, index) => value === last.current[index]);
  last.current = values;
  return !isSame;
}

interface ListRowProps {
  readonly id: string;
  readonly row: number;
  readonly top: number;
  readonly content: string;
  readonly rows: ListRows;
  readonly isSelected: boolean;
  readonly position: number;
  readonly count: number;
  readonly onPress: (row: number) => void;
}

/** A row, drawn again only when something of it has changed. */
class ListRow extends Component<ListRowProps> {
  override shouldComponentUpdate(next: ListRowProps): boolean {
    const { row, top, content, isSelected, rows } = this.props;
    return (
      row !== next.row ||
      top !== next.top ||
      content !== next.content ||
      isSelected !== next.isSelected ||
      rows !== next.rows
    );
  }

  override render(): ComponentChild {
    const { id, row, rows, top, isSelected, position, count, onPress } = this.props;
    return (
      // Keys are the listbox's: its options have no focus of their own.
      <div
        {...rows.attributes(row)}
        id={id}
        class="list-row"
        role="option"
        aria-selected={isSelected}
        aria-posinset={position}
        aria-setsize={count}
        aria-disabled={rows.canSelect(row) ? undefined : true}
        data-row={row}
        style={{ transform: `translateY(${top}px)` }}
        onClick={() => onPress(row)}
      >
        {rows.draw(row)}
      </div>
    );
  }
}
