import type { Store } from "@parley/a2a/store";

type Wrap = (store: Store) => Store;

/** A store with some methods replaced. */
function withMethods(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => Reflect.get(name in methods ? methods : target, name) as unknown,
  });
}

/** Takes every append whatever its epoch. */
const noEpochCheck: Wrap = (store) =>
  withMethods(store, {
    async append(append) {
      const record = await store.loadRecord(append.taskId);
      return store.append({ ...append, epoch: record?.epoch ?? append.epoch });
    },
  });

/** Takes every append of the right epoch, wherever its writer thinks that the log ends. */
const noSequenceCheck: Wrap = (store) =>
  withMethods(store, {
    async append(append) {
      const record = await store.loadRecord(append.taskId);
      const isBehind = (append.expectedSequence ?? 0) > 0 && record !== undefined;
      return store.append(isBehind ? { ...append, expectedSequence: record.sequence } : append);
    },
  });

/** A claim moves a task to another node and leaves the epoch as it is: nobody is fenced off. */
const claimKeepsEpoch: Wrap = (store) => {
  const epoch = 1;
  const realEpoch = async (taskId: string): Promise<number> =>
    (await store.loadRecord(taskId))?.epoch ?? epoch;
  return withMethods(store, {
    async append(append) {
      const appended = await store.append({ ...append, epoch: await realEpoch(append.taskId) });
      return { ...appended, epoch };
    },
    async claim(claim) {
      const real = await store.claim({ ...claim, epoch: await realEpoch(claim.taskId) });
      return real && epoch;
    },
    async claimAbandoned(...args) {
      return (await store.claimAbandoned(...args)).map((claimed) => ({ ...claimed, epoch }));
    },
    async loadRecord(taskId) {
      const record = await store.loadRecord(taskId);
      return record && { ...record, epoch };
    },
    async load(...args) {
      const stored = await store.load(...args);
      return stored && { ...stored, record: { ...stored.record, epoch } };
    },
  });
};

/** Answers before it has written, and loses one write in forty. */
const answersBeforeCommit: Wrap = (store) => {
  let appends = 0;
  return withMethods(store, {
    async append(append) {
      appends += 1;
      const { expectedSequence, events, epoch } = append;
      if (appends % 40 > 0 || expectedSequence === undefined) return store.append(append);
      return { sequence: expectedSequence + events.length, epoch, at: 0, queued: 0 };
    },
  });
};

/** Every node gets the abandoned tasks, and not only the one that claims them. */
const claimsForAll: Wrap = (store) => {
  let last: Awaited<ReturnType<Store["claimAbandoned"]>> = [];
  return withMethods(store, {
    async claimAbandoned(...args) {
      const claimed = await store.claimAbandoned(...args);
      const told = claimed.length > 0 ? claimed : last;
      last = claimed;
      return told;
    },
  });
};

/** Stores that break one promise each. */
export const storeMutants: Readonly<Record<string, Wrap>> = {
  "no epoch check": noEpochCheck,
  "no sequence check": noSequenceCheck,
  "a claim that keeps the epoch": claimKeepsEpoch,
  "an answer before the commit": answersBeforeCommit,
  "abandoned tasks for everybody": claimsForAll,
};
