import { expect, it } from "vitest";
import type { Store } from "../../store/internal.js";
import { runSeed } from "./run-seed.js";
import type { SimulationWave } from "./seed-options.js";

const light = { seed: 1, nodes: 3, faults: [], isLight: true } as const;

it("each wave of callers costs what the first has cost, and finds nothing of the one before in the store", async () => {
  const waves: SimulationWave[] = [];
  const kept: Promise<number>[] = [];
  let shared: Store | undefined;
  const { violations, statements } = await runSeed({
    ...light,
    tasks: 80,
    waveSize: 20,
    wrapStore: (store) => (shared = store),
    onWave(wave) {
      waves.push(wave);
      const all = shared?.list({ agent: "worker", limit: 1 });
      kept.push(Promise.resolve(all).then((page) => page?.totalSize ?? -1));
    },
  });
  expect(violations).toEqual([]);
  expect(waves.map(({ tasks }) => tasks)).toEqual([20, 40, 60, 80]);
  expect(await Promise.all(kept)).toEqual([20, 20, 20, 20]);
  const [first, second, third, fourth] = waves.map((wave) => wave.statements);
  const costs = [second! - first!, third! - second!, fourth! - third!];
  // Nodes ask now and then by themselves, once more or less.
  for (const cost of costs) expect(Math.abs(cost - costs[0]!)).toBeLessThan(20);
  expect(statements).toBeGreaterThan(fourth!);
  expect(waves.map(({ messages }) => messages)).toEqual([40, 80, 120, 160]);
});

it("light callers meet the usual settings, whatever the seed draws", async () => {
  const asked = new Set<PropertyKey>();
  const { violations } = await runSeed({
    ...light,
    // Draws that tasks are deleted soon.
    seed: 12,
    tasks: 20,
    wrapStore: (store) =>
      new Proxy(store, {
        get(target, name) {
          asked.add(name);
          return Reflect.get(target, name) as unknown;
        },
      }),
  });
  expect(violations).toEqual([]);
  expect(asked).toContain("append");
  expect(asked).not.toContain("deleteEnded");
});
