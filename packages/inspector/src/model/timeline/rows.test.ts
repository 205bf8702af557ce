import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEntry, LogEvent } from "@parley/a2a/store";
import { isPrivate } from "../log/describe-entry.js";
import { LogIndex } from "../log/log-index.js";
import { defaultRowOptions, Rows } from "./rows.js";
import type { Row } from "./rows.js";

const events: readonly LogEvent[] = [
  chunkOf("a", false),
  chunkOf("a", true),
  chunkOf("a", true),
  chunkOf("b", true),
  { kind: "step-recorded", name: "search" },
  { kind: "status-changed", status: { state: "TASK_STATE_WORKING" } },
];

const log: fc.Arbitrary<LogEntry[]> = fc
  .array(fc.tuple(fc.constantFrom(...events), fc.constantFrom(1, 5, 20_000)), { maxLength: 40 })
  .map((drawn) => {
    let at = 0;
    return drawn.map(([event, gap], position) => ({
      sequence: position + 1,
      at: (at += gap),
      event,
    }));
  });

const options = fc.record({
  showsPrivate: fc.boolean(),
  order: fc.constantFrom("oldest" as const, "newest" as const),
  idleMs: fc.constant(10_000),
});

const openGroups = fc.array(fc.nat(40), { maxLength: 5 });

describe("the rows of a log", () => {
  it("make one row of successive chunks, which opens in place", () => {
    const rows = new Rows(
      indexOf([chunkOf("a"), chunkOf("a", true), chunkOf("a", true), chunkOf("b")]),
      defaultRowOptions,
    );
    expect(all(rows)).toStrictEqual([
      { kind: "chunks", from: 0, to: 3 },
      { kind: "entry", from: 3, to: 4 },
    ]);
    expect(all(rows.toggled(0))).toStrictEqual([
      { kind: "chunks", from: 0, to: 3 },
      { kind: "chunk", from: 0, to: 1 },
      { kind: "chunk", from: 1, to: 2 },
      { kind: "chunk", from: 2, to: 3 },
      { kind: "entry", from: 3, to: 4 },
    ]);
    expect(all(rows.toggled(0).toggled(0))).toStrictEqual(all(rows));
  });

  it("leave out what is private, and join the chunks around it", () => {
    const index = indexOf([chunkOf("a"), { kind: "step-recorded", name: "s" }, chunkOf("a", true)]);
    const rows = new Rows(index, { ...defaultRowOptions, showsPrivate: false });
    expect(all(rows)).toStrictEqual([{ kind: "chunks", from: 0, to: 3 }]);
  });

  it("show a stretch without entries as a row of its own", () => {
    const index = new LogIndex([
      { sequence: 1, at: 0, event: chunkOf("a") },
      { sequence: 2, at: 60_000, event: chunkOf("a", true) },
    ]);
    expect(all(new Rows(index, defaultRowOptions)).map(({ kind }) => kind)).toStrictEqual([
      "entry",
      "idle",
      "entry",
    ]);
  });

  it("show every visible entry once, in order, and find the row of each", () => {
    fc.assert(
      fc.property(log, options, openGroups, (entries, chosen, open) => {
        const index = new LogIndex(entries);
        const rows = new Rows(index, chosen, open);
        const shown = all(rows).filter(
          ({ kind, from }) => kind !== "idle" && !(kind === "chunks" && rows.isOpen(from)),
        );
        const positions = shown.flatMap(({ from, to }) =>
          Array.from({ length: to - from }, (_, offset) => from + offset),
        );
        const visible = entries.flatMap(({ event }, position) =>
          chosen.showsPrivate || !isPrivate(event) ? [position] : [],
        );
        expect(positions.filter((position) => visible.includes(position))).toStrictEqual(visible);
        for (const position of visible) {
          const row = rows.at(rows.rowOf(position));
          expect(row?.kind).not.toBe("idle");
          expect(row && row.from <= position && position < row.to).toBe(true);
        }
      }),
    );
  });

  it("are the same whether entries come at once or one at a time, and look at each entry once", () => {
    fc.assert(
      fc.property(log, options, openGroups, (entries, chosen, open) => {
        const index = new LogIndex();
        const rows = new Rows(index, chosen, open);
        let looked = 0;
        for (const entry of entries) {
          index.append([entry]);
          looked += rows.sync();
        }
        expect(looked).toBe(entries.length);
        expect(all(rows)).toStrictEqual(all(new Rows(new LogIndex(entries), chosen, open)));
      }),
    );
  });
});

function all(rows: Rows): Row[] {
  return Array.from({ length: rows.length }, (_, row) => rows.at(row) as Row);
}

function indexOf(list: readonly LogEvent[]): LogIndex {
  return new LogIndex(
    list.map((event, position) => ({ sequence: position + 1, at: position, event })),
  );
}

function chunkOf(artifactId: string, append: boolean = false): LogEvent {
  return { kind: "artifact-updated", append, artifact: { artifactId, parts: [{ text: "x" }] } };
}
