import { rm } from "node:fs/promises";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { findPostgres } from "../support/postgres/find-programs.js";
import { killRow, stopRow } from "./rows/process-rows.js";
import { restartRow } from "./rows/engine-rows.js";
import { runRow } from "./run-row.js";

const found = findPostgres();
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

describe.skipIf(!found.isThere)(`three servers ${found.name}`, () => {
  it.each([killRow, stopRow, restartRow])("hold when they meet $name: $expected", async (row) => {
    const options = { store: "postgres", bus: "postgres", leaseMs: 2000, concurrency: 8 } as const;
    const result = await runRow(row, { ...options, seed, forMs: 6000 });
    const { violations, broken, folder } = result;
    const hint = `repeat with SEED=${seed}; the history is in ${folder}`;
    expect({ violations, broken }, hint).toEqual({ violations: [], broken: [] });
    expect(result.faults, hint).toBeGreaterThan(0);
    expect(result.tasks, hint).toBeGreaterThan(0);
    await rm(folder, { recursive: true, force: true });
  });
});
