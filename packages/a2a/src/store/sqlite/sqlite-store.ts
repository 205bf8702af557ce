import type { Clock } from "../../async/internal.js";
import type { Message, Task, TaskPushNotificationConfig } from "../../protocol/internal.js";
import type { Append, Appended } from "../append.js";
import type { IdempotentResult, ReplyClaim } from "../idempotency-store.js";
import type {
  Claim,
  ClaimedTask,
  ClaimTerms,
  NodeInfo,
  NodeRecord,
  Renewal,
} from "../lease-store.js";
import type { StoreLimits } from "../store-limits.js";
import type { LogEntry, LogEvent } from "../log-event.js";
import type {
  BuriedDelivery,
  ClaimedQueue,
  DeliveryKey,
  QueueClaim,
  QueueSettlement,
} from "../outbox-store.js";
import { fromTuple } from "../rows/record-row.js";
import type { RecordTuple } from "../rows/record-row.js";
import type { PushConfigRecord } from "../push-store.js";
import type { Store } from "../store.js";
import type { Scope, StoredTask, TaskRecord } from "../task-record.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import type { Usage } from "../usage-store.js";
import { bytesOf, packAppend, toAppendText } from "./append-text.js";
import type { DatabaseThread } from "./database-thread.js";
import type { LogText, StoredTaskText, TaskPageText } from "./operations.js";
import { toConfigText } from "./push-config-text.js";
import type { PushConfigText } from "./push-config-text.js";

interface SqliteStoreParts {
  readonly thread: DatabaseThread;
  readonly path: string;
  readonly clock: Pick<Clock, "now">;
}

/** The store as its callers see it. Converts to and from JSON here; the rest happens in the thread. */
export class SqliteStore implements Store {
  readonly description: string;
  readonly isShared = true;
  readonly #thread: DatabaseThread;
  readonly #clock: Pick<Clock, "now">;

  constructor({ thread, path, clock }: SqliteStoreParts) {
    this.description = `sqlite ${path}`;
    this.#thread = thread;
    this.#clock = clock;
  }

  append(append: Append): Promise<Appended> {
    const text = toAppendText(append);
    const { expectedSequence = 0, epoch, events } = append;
    const sequence = expectedSequence + events.length;
    return this.#thread
      .write("append", packAppend(text), bytesOf(text))
      .then((said) => (typeof said === "number" ? { sequence, epoch, at: said, queued: 0 } : said));
  }

  async read(
    taskId: string,
    after: number,
    limit: number,
    maxBytes: number = Infinity,
  ): Promise<readonly LogEntry[]> {
    const text = await this.#thread.read("read", { taskId, after, limit, maxBytes });
    return toEntries(text, after).slice(0, limit);
  }

  async load(taskId: string, maxBytes: number = Infinity): Promise<StoredTask | undefined> {
    const stored = await this.#thread.read("load", { taskId, maxBytes });
    return stored && toStoredTask(stored);
  }

  loadRecord(taskId: string): Promise<TaskRecord | undefined> {
    return this.#thread.read("loadRecord", taskId);
  }

  async list(query: ListTasksQuery): Promise<TaskPage> {
    const page = await this.#thread.read("list", query);
    return { tasks: toTasks(page), totalSize: page.totalSize, ...(page.isCut && { isCut: true }) };
  }

  loadUsage(subject: string, agent: string): Promise<Usage> {
    return this.#thread.read("loadUsage", { subject, agent });
  }

  findByMessageId(scope: Scope, messageId: string): Promise<string | undefined> {
    return this.#thread.read("findByMessageId", { scope, messageId });
  }

  deleteEnded(before: number, limit: number): Promise<number> {
    return this.#thread.write("deleteEnded", { before, limit });
  }

  renewNode(node: string, forMs: number, info: NodeInfo): Promise<Renewal> {
    return this.#thread.write("renewNode", { node, forMs, info });
  }

  releaseNode(node: string): Promise<void> {
    return this.#thread.write("releaseNode", node);
  }

  async isLive(node: string): Promise<boolean> {
    const until = await this.#thread.read("leaseOf", node);
    return until !== undefined && this.#clock.now() < until;
  }

  listAgents(): Promise<readonly string[]> {
    return this.#thread.read("listAgents", undefined);
  }

  async listNodes(): Promise<readonly NodeRecord[]> {
    const nodes = await this.#thread.read("listNodes", undefined);
    const now = this.#clock.now();
    return nodes.map(({ until, ...known }) => ({
      ...known,
      leaseLeftMs: Math.max(0, until - now),
    }));
  }

  setDraining(node: string, isDraining: boolean): Promise<boolean> {
    return this.#thread.write("setDraining", { node, isDraining });
  }

  claim(claim: Claim): Promise<number | undefined> {
    return this.#thread.write("claim", claim);
  }

  claimAbandoned(
    agent: string,
    node: string,
    limit: number,
    terms?: ClaimTerms,
  ): Promise<readonly ClaimedTask[]> {
    return this.#thread.write("claimAbandoned", { agent, node, limit, ...terms });
  }

  listHeld(agent: string, node: string): Promise<readonly string[]> {
    return this.#thread.read("listHeld", { agent, node });
  }

  savePushConfig({ taskId, ...config }: PushConfigRecord, limits?: StoreLimits): Promise<boolean> {
    const record = { taskId, ...toConfigText(config) };
    return this.#thread.write("savePushConfig", { record, limits }, record.config.length);
  }

  async loadPushConfig(taskId: string, configId: string): Promise<PushConfigRecord | undefined> {
    const config = await this.#thread.read("loadPushConfig", { taskId, configId });
    return config && toPushConfig(config);
  }

  async listPushConfigs(
    taskId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly PushConfigRecord[]> {
    const configs = await this.#thread.read("listPushConfigs", { taskId, after, limit });
    return configs.map(toPushConfig);
  }

  deletePushConfig(taskId: string, configId: string): Promise<void> {
    return this.#thread.write("deletePushConfig", { taskId, configId });
  }

  claimQueues(claim: QueueClaim): Promise<readonly ClaimedQueue[]> {
    return this.#thread.write("claimQueues", claim);
  }

  settleQueue(settlement: QueueSettlement): Promise<void> {
    return this.#thread.write("settleQueue", settlement);
  }

  nextDeliveryAt(agent: string): Promise<number | undefined> {
    return this.#thread.read("nextDeliveryAt", agent);
  }

  listBuried(query: {
    readonly agent: string;
    readonly after?: DeliveryKey;
    readonly limit: number;
  }): Promise<readonly BuriedDelivery[]> {
    return this.#thread.read("listBuried", query);
  }

  reviveDelivery(key: DeliveryKey, now: number): Promise<boolean> {
    return this.#thread.write("reviveDelivery", { key, now });
  }

  countDeliveries(agent: string): Promise<{ readonly waiting: number; readonly buried: number }> {
    return this.#thread.read("countDeliveries", agent);
  }

  async loadIdempotentResult(
    scope: Scope,
    key: string,
    now: number,
  ): Promise<IdempotentResult | undefined> {
    const result = await this.#thread.read("loadIdempotentResult", { scope, key });
    if (result === undefined || result.expiresAt <= now) return undefined;
    return {
      requestHash: result.requestHash,
      ...(result.taskId !== null && { taskId: result.taskId }),
      ...(result.reply !== null && { reply: JSON.parse(result.reply) as Message }),
    };
  }

  async saveReply(
    scope: Scope,
    claim: ReplyClaim,
    reply: Message,
    limits?: StoreLimits,
  ): Promise<void> {
    const text = JSON.stringify(reply);
    await this.#thread.write("saveReply", { scope, claim, reply: text, limits }, text.length);
  }

  deleteExpiredKeys(now: number, limit: number): Promise<number> {
    return this.#thread.write("deleteExpiredKeys", { now, limit });
  }

  settleSecret(name: string, proposed: string): Promise<string> {
    return this.#thread.write("settleSecret", { name, proposed });
  }

  async foreignVersion(): Promise<number> {
    const version = await this.#thread.read("foreignVersion", undefined);
    return version + this.#thread.failures;
  }

  async check(): Promise<void> {
    const { problem } = this.#thread;
    if (problem !== undefined) throw problem;
    await this.#thread.write("check", undefined);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

type Item = LogEvent | number;

/** The entries after a sequence. Logs have no gaps, so one sequence determines all others. */
function toEntries({ upto, at, events }: LogText, after: number): LogEntry[] {
  return entriesOf({ upto, at, items: JSON.parse(`[${events}]`) as Item[] }, after);
}

function entriesOf(
  { upto, at, items }: Omit<LogText, "events"> & { readonly items: readonly Item[] },
  after: number,
): LogEntry[] {
  const next = items.findIndex((item) => typeof item === "number");
  let sequence = upto - (next === -1 ? items.length : next);
  let time = at;
  const entries: LogEntry[] = [];
  for (const item of items) {
    if (typeof item === "number") {
      time = item;
      continue;
    }
    sequence += 1;
    if (sequence > after) entries.push({ sequence, at: time, event: item });
  }
  return entries;
}

function toStoredTask({ record, checkpoint, tail }: StoredTaskText): StoredTask {
  if (checkpoint === undefined) return { record, tail: toEntries(tail, 0) };
  const { sequence, body } = checkpoint;
  const task = JSON.parse(body) as Task;
  return { record, checkpoint: { sequence, task }, tail: toEntries(tail, sequence) };
}

/** What is stored of a task of a page: its checkpoint, and its tail, if there is one. */
type Content = readonly [
  task: Task | null,
  checkpoint: number,
  upto?: number,
  at?: number,
  ...items: Item[],
];

function toTasks({ records, contents, large, count }: TaskPageText): StoredTask[] {
  const small = JSON.parse(`[${contents}]`) as readonly (Content | null)[];
  const all = (JSON.parse(records) as readonly RecordTuple[]).slice(0, count);
  return all.map((record, place) => {
    const content = small[place] ?? (JSON.parse(large.get(place) ?? "[null,0]") as Content);
    const [task, after, upto = 0, at = 0, ...items] = content;
    return {
      record: fromTuple(record),
      ...(task !== null && { checkpoint: { sequence: after, task } }),
      tail: entriesOf({ upto, at, items }, after),
    };
  });
}

function toPushConfig(record: PushConfigText): PushConfigRecord {
  return { ...record, config: JSON.parse(record.config) as TaskPushNotificationConfig };
}
