import fc from "fast-check";
import { pushDetails } from "../../src/store/index.js";
import type { LogEvent, Owner, Scope } from "../../src/store/index.js";
import { taskStates } from "../../src/protocol/internal.js";
import type { JsonValue } from "../../src/protocol/internal.js";
import type { StoreOperation } from "../../src/testing/index.js";

const one = <const T>(...values: readonly T[]) => fc.constantFrom(...values);

/** Few of everything, so that operations meet. */
const taskIds = ["t1", "t2", "t3", "t4", "t5"] as const;
const owners: readonly Owner[] = [
  { tenant: "", subject: "ada" },
  { tenant: "a", subject: "ada" },
];
const agents = ["travel", "weather"] as const;
const taskId = one(...taskIds);
const owner = one(...owners);
const agent = one(...agents);
const scope: fc.Arbitrary<Scope> = fc
  .tuple(owner, agent)
  .map(([its, name]) => ({ ...its, agent: name }));
const contextId = one("context-1", "context-2");
const node = one("n1", "n2", "n3");
const configId = one("c1", "c2");
const key = one("k1", "k2", "k3", "k4", "k5", "k6");
/** Leases end between whole minutes, and the time moves by those. */
const minuteMs = 60_000;
const moment = fc.integer({ min: 0, max: 12 });
const state = one(...taskStates.filter((name) => name !== "TASK_STATE_UNSPECIFIED"));
const openState = one("TASK_STATE_WORKING", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_SUBMITTED");
/** Where a store chooses, it takes all. */
const all = 1000;

const event: fc.Arbitrary<LogEvent> = fc.oneof(
  fc.record({
    kind: fc.constant("artifact-updated" as const),
    artifact: fc.record({
      artifactId: one("a1", "a2"),
      parts: fc.array(fc.record({ text: fc.string({ unit: "grapheme" }) }), { maxLength: 2 }),
    }),
    append: fc.boolean(),
    lastChunk: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("step-recorded" as const),
    position: fc.nat(9),
    name: fc.string({ unit: "grapheme" }),
    result: fc.jsonValue({ maxDepth: 2 }).map((value) => value as JsonValue),
  }),
  fc.constant<LogEvent>({ kind: "cancel-requested" }),
);

const claimOfKey = fc.record({ key, requestHash: one("h1", "h2"), expiresAt: moment });

const optional = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: undefined, freq: 1 });

const claimTerms = fc.record(
  { exceptSubjects: fc.subarray(["ada", "bob"]), onlyReleased: fc.boolean() },
  { requiredKeys: [] },
);

/** Often reached, and as often not. */
const limits = fc.record(
  {
    maxTasks: fc.integer({ min: 0, max: 6 }),
    maxBytes: fc.integer({ min: 0, max: 300 }),
    maxPushConfigs: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: [] },
);

const host = one("a.example", "b.example");
const pushConfig = {
  dialect: one("1.0", "0.3"),
  detail: one(...pushDetails),
  host,
  config: fc.record({ url: one("https://a.example", "https://b.example") }),
};

const whileStates = fc.subarray(
  taskStates.filter((name) => name !== "TASK_STATE_UNSPECIFIED"),
  { minLength: 5 },
);

/** What any append may write to a task. */
const written = (id: string) => ({
  events: fc.array(event, { minLength: 1, maxLength: 4 }),
  node: fc.option(node),
  messageIds: fc.array(
    one("m1", "m2", "m3").map((name) => `${id}-${name}`),
    { maxLength: 2 },
  ),
  idempotency: claimOfKey,
  pushConfig: fc.record({ configId, ...pushConfig }),
  notifyAt: moment,
  limits,
  whileStates,
});

const status = fc.record({
  state: fc.oneof({ weight: 3, arbitrary: openState }, { weight: 1, arbitrary: state }),
  at: moment,
});

const appendNext = taskId.chain((id) =>
  fc.record(
    {
      method: fc.constant("appendNext" as const),
      taskId: fc.constant(id),
      create: fc.record({ owner, agent, contextId, createdIn: one("1.0", "0.3") }),
      write: fc.record(
        {
          ...written(id),
          checkpoint: fc.constant({ id, status: { state: "TASK_STATE_WORKING" } } as const),
          bytes: fc.nat(9),
        },
        { requiredKeys: ["events"] },
      ),
      status,
      behind: fc.oneof({ weight: 9, arbitrary: one(0) }, { weight: 1, arbitrary: one(-1, 1, 2) }),
      fenced: fc.oneof({ weight: 9, arbitrary: one(0) }, { weight: 1, arbitrary: one(-1, 1) }),
    },
    { requiredKeys: ["method", "taskId", "create", "write", "behind", "fenced"] },
  ),
);

const appendAtEnd = taskId.chain((id) =>
  fc.record(
    {
      method: fc.constant("appendAtEnd" as const),
      taskId: fc.constant(id),
      write: fc.record(written(id), { requiredKeys: ["events"] }),
      status,
    },
    { requiredKeys: ["method", "taskId", "write"] },
  ),
);

const claimNext = fc.record(
  {
    method: fc.constant("claimNext" as const),
    taskId,
    node,
    fenced: fc.oneof({ weight: 4, arbitrary: one(0) }, { weight: 1, arbitrary: one(-1, 1) }),
    behind: fc.oneof({ weight: 4, arbitrary: one(0) }, { weight: 1, arbitrary: one(-1, 1) }),
  },
  { requiredKeys: ["method", "taskId", "node", "fenced"] },
);

const delivery = fc.record({ taskId, configId, sequence: fc.integer({ min: 1, max: 8 }) });

const sequences = fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 3 });

const query = fc
  .record({
    agent,
    owner: optional(owner),
    tenant: optional(one("", "a")),
    contextId: optional(contextId),
    state: optional(state),
    statusSince: optional(moment),
    after: optional(fc.record({ statusAt: moment, taskId })),
    limit: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ agent: name, limit, tenant, ...others }) => ({ name, limit, others, tenant }))
  .map(({ name, limit, others, tenant }) => ({
    name,
    limit,
    filters: others.owner === undefined ? { ...others, tenant } : others,
  }))
  .map(({ name, limit, filters }) => ({
    agent: name,
    limit,
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
  }));

const now = moment;

const writes: fc.Arbitrary<StoreOperation>[] = [
  fc.record({ method: one("advance"), ms: one(1, 2).map((minutes) => minutes * minuteMs) }),
  fc.record({
    method: one("renewNode"),
    args: fc.tuple(
      node,
      one(0.5, 1.5, 2.5, 5.5).map((minutes) => minutes * minuteMs),
      fc.record(
        { agent, revision: one("1", "2"), version: one("0.1.0"), address: one("a:1", "b:2") },
        { requiredKeys: ["agent", "revision", "version"] },
      ),
    ),
  }),
  fc.record({ method: one("setDraining"), args: fc.tuple(node, fc.boolean()) }),
  fc.record({
    method: one("claimAbandoned"),
    args: fc.tuple(agent, node, one(all), optional(claimTerms)),
  }),
  fc.record({ method: one("releaseNode"), args: fc.tuple(node) }),
  fc.record({
    method: one("savePushConfig"),
    args: fc.tuple(fc.record({ taskId, configId, ...pushConfig }), optional(limits)),
  }),
  fc.record({ method: one("deletePushConfig"), args: fc.tuple(taskId, configId) }),
  fc.record({
    method: one("claimQueues"),
    args: fc.tuple(
      fc.record({
        agent,
        node,
        now,
        until: moment,
        limit: one(all),
        ahead: one(1, 3),
        perHost: one(all),
        taken: fc.uniqueArray(host).map((full) => new Map(full.map((name) => [name, all]))),
      }),
    ),
  }),
  fc.record({
    method: one("settleQueue"),
    args: fc.tuple(
      fc.record(
        {
          taskId,
          configId,
          arrived: sequences,
          buried: fc.record({ sequences, reason: one("gone", "slow") }),
          release: fc.record({ node, dueAt: moment }),
        },
        { requiredKeys: ["taskId", "configId"] },
      ),
    ),
  }),
  fc.record({ method: one("reviveDelivery"), args: fc.tuple(delivery, now) }),
  fc.record({
    method: one("saveReply"),
    args: fc.tuple(
      scope,
      fc
        .tuple(claimOfKey, optional(key))
        .map(([claim, alias]) => (alias === undefined ? claim : { ...claim, alias })),
      fc.constant({ messageId: "m1", role: "ROLE_AGENT" as const, parts: [] }),
      optional(limits),
    ),
  }),
  fc.record({ method: one("deleteExpiredKeys"), args: fc.tuple(now, one(all)) }),
  fc.record({ method: one("settleSecret"), args: fc.tuple(one("s1", "s2"), one("v1", "v2")) }),
  fc.record({ method: one("deleteEnded"), args: fc.tuple(moment, one(all)) }),
];

const reads: fc.Arbitrary<StoreOperation>[] = [
  fc.record({ method: one("list"), args: fc.tuple(query) }),
  fc.record({
    method: one("read"),
    args: fc.tuple(taskId, fc.nat(6), fc.integer({ min: 1, max: 6 })),
  }),
  fc.record({ method: one("loadUsage"), args: fc.tuple(one("ada", "bob"), agent) }),
  fc.record({ method: one("load"), args: fc.tuple(taskId) }),
  fc.record({ method: one("listHeld"), args: fc.tuple(agent, node) }),
  fc.record({ method: one("isLive"), args: fc.tuple(node) }),
  fc.record({ method: one("listNodes"), args: fc.tuple() }),
  fc.record({ method: one("nextDeliveryAt"), args: fc.tuple(agent) }),
  fc.record({
    method: one("listBuried"),
    args: fc.tuple(
      fc.record(
        { agent, after: delivery, limit: fc.integer({ min: 1, max: 6 }) },
        { requiredKeys: ["agent", "limit"] },
      ),
    ),
  }),
  fc.record({ method: one("countDeliveries"), args: fc.tuple(agent) }),
  fc.record({
    method: one("findByMessageId"),
    args: fc.tuple(
      scope,
      fc.tuple(taskId, one("m1", "m2", "m3")).map((parts) => parts.join("-")),
    ),
  }),
  fc.record({ method: one("loadIdempotentResult"), args: fc.tuple(scope, key, now) }),
  fc.record({
    method: one("listPushConfigs"),
    args: fc.tuple(taskId, optional(configId), fc.integer({ min: 1, max: 3 })),
  }),
];

const moments = Array.from({ length: 13 }, (_, index) => index);

/** Looks at all there is, so that a difference shows even when nothing asked for it. */
const observations: StoreOperation[] = [
  ...agents.flatMap((name) => [
    ...[{}, ...owners.map((its) => ({ owner: its })), { contextId: "context-1" }].flatMap(
      (filter) =>
        [{}, ...taskStates.map((its) => ({ state: its }))].map((more): StoreOperation => ({
          method: "list",
          args: [{ agent: name, ...filter, ...more, limit: all }],
        })),
    ),
    ...moments.flatMap((statusAt): StoreOperation[] => [
      { method: "list", args: [{ agent: name, after: { statusAt, taskId: "t3" }, limit: 2 }] },
      { method: "list", args: [{ agent: name, statusSince: statusAt, limit: 2 }] },
    ]),
    { method: "claimAbandoned", args: [name, "n9", all] } as const,
    ...owners.map(({ tenant }): StoreOperation => ({
      method: "list",
      args: [{ agent: name, tenant, limit: all }],
    })),
    { method: "loadUsage", args: ["ada", name] } as const,
    { method: "nextDeliveryAt", args: [name] } as const,
    { method: "countDeliveries", args: [name] } as const,
    { method: "listBuried", args: [{ agent: name, limit: all }] } as const,
    {
      method: "claimQueues",
      args: [
        {
          agent: name,
          node: "n1",
          now: 12,
          until: 99,
          limit: all,
          ahead: all,
          perHost: all,
          taken: new Map(),
        },
      ],
    } as const,
  ]),
  ...["n1", "n2", "n3"].flatMap((name): StoreOperation[] => [
    { method: "listHeld", args: [agents[0], name] },
    { method: "isLive", args: [name] },
  ]),
  { method: "listNodes", args: [] },
  ...taskIds.flatMap((id): StoreOperation[] => [
    { method: "load", args: [id] },
    { method: "read", args: [id, 0, all] },
    { method: "listPushConfigs", args: [id, undefined, all] },
    { method: "listPushConfigs", args: [id, "c1", all] },
  ]),
];

/** Sequences of operations on a store, of which about half append, and a look at what came of them. */
export const storeOperations: fc.Arbitrary<StoreOperation[]> = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: appendNext },
      { weight: 3, arbitrary: appendAtEnd },
      { weight: 2, arbitrary: claimNext },
      ...writes.map((arbitrary) => ({ weight: 1, arbitrary })),
      ...reads.map((arbitrary) => ({ weight: 1, arbitrary })),
    ),
    { maxLength: 80, size: "max" },
  )
  .map((operations) => [...operations, ...observations]);
