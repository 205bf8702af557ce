import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "@parley/a2a/store";
import { LogIndex } from "../log/log-index.js";
import { Axis } from "./axis.js";
import { chunkRates } from "./chunk-rates.js";

const gaps = fc.array(fc.constantFrom(0, 1, 400, 9000, 250_000), { minLength: 1, maxLength: 60 });

describe("the axis of a timeline", () => {
  it("begins at 0, ends at 1, never goes back, and finds the entry at the place of each", () => {
    fc.assert(
      fc.property(gaps, (list) => {
        const axis = new Axis(indexOf(list));
        const places = list.map((_, position) => axis.placeOf(position));
        expect(places[0]).toBe(0);
        if (list.length > 1) expect(places.at(-1)).toBeCloseTo(1, 9);
        for (let position = 1; position < places.length; position += 1) {
          expect(places[position]).toBeGreaterThan(places[position - 1] as number);
        }
        list.forEach((_, position) => {
          expect(axis.positionAt(places[position] as number)).toBe(position);
        });
      }),
    );
  });

  it("is the same when entries come one at a time", () => {
    fc.assert(
      fc.property(gaps, (list) => {
        const whole = indexOf(list);
        const index = new LogIndex();
        const axis = new Axis(index);
        for (const entry of whole.entries) {
          index.append([entry]);
          axis.sync();
        }
        const expected = new Axis(whole);
        expect(list.map((_, at) => axis.placeOf(at))).toStrictEqual(
          list.map((_, at) => expected.placeOf(at)),
        );
        expect(axis.bands()).toStrictEqual(expected.bands());
      }),
    );
  });

  it("draws four idle minutes no longer than other stretches, and says how long they were", () => {
    const axis = new Axis(indexOf([0, 100, 100, 250_000, 100, 100]));
    const [idle] = axis.idles();
    expect(idle?.ms).toBe(250_000);
    expect((idle?.to ?? 0) - (idle?.from ?? 0)).toBeLessThan(0.4);
  });

  it("has a band for each state, from one end to the other", () => {
    const bands = new Axis(indexOf([0, 1, 1, 1, 1, 1])).bands();
    expect(bands.map(({ state }) => state)).toStrictEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "TASK_STATE_INPUT_REQUIRED",
    ]);
    expect(bands[0]?.from).toBe(0);
    expect(bands[1]?.from).toBe(bands[0]?.to);
    expect(bands.at(-1)?.to).toBe(1);
  });
});

describe("the rates of chunks", () => {
  it("count every entry in one of the bars", () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), (list, bars) => {
        const rates = chunkRates(indexOf(list), 0, list.length, bars);
        expect(rates.reduce((sum, rate) => sum + rate, 0)).toBe(list.length);
        expect(rates.every((rate) => rate >= 0)).toBe(true);
      }),
    );
  });
});

/** A log with such gaps before its entries: created, then working, then waiting, then messages. */
function indexOf(list: readonly number[]): LogIndex {
  let at = 0;
  const events: LogEvent[] = [
    {
      kind: "task-created",
      taskId: "t",
      contextId: "c",
      status: { state: "TASK_STATE_SUBMITTED" },
    },
    { kind: "status-changed", status: { state: "TASK_STATE_WORKING" } },
    { kind: "cancel-requested" },
    { kind: "status-changed", status: { state: "TASK_STATE_INPUT_REQUIRED" } },
  ];
  return new LogIndex(
    list.map((gap, position) => ({
      sequence: position + 1,
      at: (at += gap),
      event: events[position] ?? { kind: "cancel-requested" },
    })),
  );
}
