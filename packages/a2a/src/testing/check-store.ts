import type { Store } from "../store/internal.js";
import { toCases } from "./contract-case.js";
import type { ContractCase, Skip } from "./contract-case.js";
import { abandonedCases } from "./store-contract/leases/abandoned-cases.js";
import { appendCases } from "./store-contract/append-cases.js";
import { atTheEndCases } from "./store-contract/at-the-end-cases.js";
import { closingCases } from "./store-contract/closing-cases.js";
import { commitTimeCases } from "./store-contract/commit-time-cases.js";
import { concurrencyCases } from "./store-contract/concurrency-cases.js";
import { deletionCases } from "./store-contract/deletion-cases.js";
import { durabilityCases } from "./store-contract/durability-cases.js";
import { idempotencyCases } from "./store-contract/idempotency-cases.js";
import { leaseCases } from "./store-contract/leases/lease-cases.js";
import { leaseTimeCases } from "./store-contract/leases/lease-time-cases.js";
import { limitCases } from "./store-contract/limit-cases.js";
import { listCases } from "./store-contract/list-cases.js";
import { nodeCases } from "./store-contract/leases/node-cases.js";
import { outboxCases } from "./store-contract/outbox-cases.js";
import { pushCases } from "./store-contract/push-cases.js";
import { readCases } from "./store-contract/read-cases.js";
import { refusalCases } from "./store-contract/refusal-cases.js";
import { secretCases } from "./store-contract/secret-cases.js";
import type { StoreBench } from "./store-contract/store-bench.js";
import { usageCases } from "./store-contract/usage-cases.js";
import { valueCases } from "./store-contract/value-cases.js";

/** What the contract of stores needs of a store beside the store itself. */
export interface CheckStoreOptions {
  readonly skip?: readonly Skip[];
  /** Opens the data of a store again after that store is gone, closed or not. Absent: the store keeps nothing. */
  readonly reopen?: (store: Store) => Store | Promise<Store>;
  /** Opens the same store again, as another node would. Absent: the store is for one node. */
  readonly share?: (store: Store) => Store | Promise<Store>;
  /**
   * Moves the time of a store forward, for all who have opened it. It may go on by itself, too. Absent: nobody can move it,
   * and what is said of times is not checked.
   */
  readonly advance?: (store: Store, ms: number) => void | Promise<void>;
}

const statements = {
  ...appendCases,
  ...commitTimeCases,
  ...atTheEndCases,
  ...refusalCases,
  ...concurrencyCases,
  ...readCases,
  ...valueCases,
  ...listCases,
  ...usageCases,
  ...limitCases,
  ...leaseCases,
  ...nodeCases,
  ...abandonedCases,
  ...leaseTimeCases,
  ...pushCases,
  ...outboxCases,
  ...idempotencyCases,
  ...secretCases,
  ...deletionCases,
  ...closingCases,
  ...durabilityCases,
};

/**
 * The contract of `Store` as cases for any test runner. `create` opens an empty store; every case opens its own
 * and closes it.
 *
 * @example
 * for (const { name, run, skipped } of checkStore(createMyStore)) test(name, { skip: skipped }, run);
 */
export function checkStore(
  create: () => Store | Promise<Store>,
  options: CheckStoreOptions = {},
): readonly ContractCase[] {
  const skips = [...(options.skip ?? [])];
  if (options.reopen === undefined) {
    skips.push({ reason: "keeps nothing when it is closed", cases: Object.keys(durabilityCases) });
  }
  if (options.advance === undefined) {
    skips.push({ reason: "has a time that nobody can move", cases: Object.keys(leaseTimeCases) });
  }
  return toCases(statements, (statement) => useBench(create, options, statement), skips);
}

async function useBench(
  create: () => Store | Promise<Store>,
  { share, reopen, advance }: CheckStoreOptions,
  statement: (bench: StoreBench) => Promise<void>,
): Promise<void> {
  const store = await create();
  const opened = [store];
  let another: Promise<Store> | undefined;
  try {
    await statement({
      store,
      another: () => (another ??= open(share)),
      reopen: () => open(reopen),
      advance: async (ms) => advance?.(opened.at(-1) ?? store, ms),
    });
  } finally {
    for (const one of opened.toReversed()) await one.close();
  }

  async function open(how: ((store: Store) => Store | Promise<Store>) | undefined): Promise<Store> {
    if (how === undefined) return store;
    const one = await how(store);
    opened.push(one);
    return one;
  }
}
