import type { Bus } from "../bus/internal.js";
import type { BusBench } from "./bus-contract/bus-bench.js";
import { closingCases } from "./bus-contract/closing-cases.js";
import { nodeCases, strangerCases } from "./bus-contract/node-cases.js";
import { outageCases } from "./bus-contract/outage-cases.js";
import { taskCases } from "./bus-contract/task-cases.js";
import { topicCases } from "./bus-contract/topic-cases.js";
import { toCases } from "./contract-case.js";
import type { ContractCase, Skip } from "./contract-case.js";

export interface CheckBusOptions {
  readonly skip?: readonly Skip[];
  /** Joins the same bus again, as another node would. Absent: the bus is within one node. */
  readonly share?: (bus: Bus) => Bus | Promise<Bus>;
  /** Opens a bus for nodes of another cluster, over the same server if there is one. Absent: all nodes are one cluster. */
  readonly stranger?: (bus: Bus) => Bus | Promise<Bus>;
  /**
   * Cuts this bus off from the others, and resolves with a function that mends it. Absent: nothing can come between
   * them.
   */
  readonly cut?: (bus: Bus) => Promise<() => Promise<void>>;
}

const statements = {
  ...taskCases,
  ...topicCases,
  ...nodeCases,
  ...strangerCases,
  ...outageCases,
  ...closingCases,
};

/**
 * The contract of `Bus` as cases for any test runner. `create` opens a bus; every case opens its own and closes it.
 */
export function checkBus(
  create: () => Bus | Promise<Bus>,
  options: CheckBusOptions = {},
): readonly ContractCase[] {
  const { share, stranger, cut } = options;
  const skips = [...(options.skip ?? [])];
  const skip = (reason: string, cases: object): void =>
    void skips.push({ reason, cases: Object.keys(cases) });
  if (share === undefined) skip("connects no nodes", nodeCases);
  if (stranger === undefined) skip("has one cluster", strangerCases);
  if (cut === undefined) skip("cannot be cut off", outageCases);
  const use = async (statement: (bench: BusBench) => Promise<void>): Promise<void> => {
    const bus = await create();
    const opened = [bus];
    const openBy = async (open: ((bus: Bus) => Bus | Promise<Bus>) | undefined): Promise<Bus> => {
      if (open === undefined) return bus;
      const other = await open(bus);
      opened.push(other);
      return other;
    };
    let mend = async (): Promise<void> => {};
    try {
      await statement({
        bus,
        another: () => openBy(share),
        stranger: () => openBy(stranger),
        cut: async () => (mend = (await cut?.(bus)) ?? mend),
      });
    } finally {
      await mend();
      for (const one of opened.toReversed()) await one.close();
    }
  };
  return toCases(statements, use, skips);
}
