import { A2AError } from "../../protocol/internal.js";
import type { Message } from "../../protocol/internal.js";
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
import type { LogEntry } from "../log-event.js";
import type {
  BuriedDelivery,
  ClaimedQueue,
  DeliveryKey,
  QueueClaim,
  QueueSettlement,
} from "../outbox-store.js";
import type { PushConfigRecord } from "../push-store.js";
import type { StoreLimits } from "../store-limits.js";
import type { Store } from "../store.js";
import type { Scope, StoredTask, TaskRecord } from "../task-record.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import type { Usage } from "../usage-store.js";
import { AppendQueue } from "./append/append-queue.js";
import { Batcher } from "./batcher.js";
import { toFailure } from "./failure.js";
import type { Place } from "./place.js";
import { deleteEnded } from "./statements/delete-ended.js";
import {
  deleteExpiredKeys,
  loadIdempotentResult,
  saveReply,
} from "./statements/idempotency-keys.js";
import * as leases from "./statements/leases.js";
import { listAgents, listTasks } from "./statements/list-tasks.js";
import { loadRecords, loadTasks } from "./statements/load-tasks.js";
import type { LoadRequest } from "./statements/load-tasks.js";
import { findByMessageId, settleSecret } from "./statements/names.js";
import * as outbox from "./statements/outbox.js";
import * as configs from "./statements/push-configs.js";
import { readLogs } from "./statements/read-log.js";
import type { LogRequest } from "./statements/read-log.js";
import { loadUsage } from "./statements/usage.js";

/** The store as its callers see it. Each operation is a statement or a short transaction; see `statements`. */
export class PostgresStore implements Store {
  readonly description: string;
  readonly isShared = true;
  readonly #place: Place;
  readonly #appends: AppendQueue;
  readonly #reads: Batcher<LogRequest, readonly LogEntry[]>;
  readonly #loads: Batcher<LoadRequest, StoredTask | undefined>;
  readonly #records: Batcher<string, TaskRecord | undefined>;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(place: Place) {
    this.#place = place;
    this.description = `postgres ${place.database.description}`;
    this.#appends = new AppendQueue(place);
    this.#reads = new Batcher((requests) => readLogs(place, requests));
    this.#loads = new Batcher((requests) => loadTasks(place, requests));
    this.#records = new Batcher((taskIds) => loadRecords(place, taskIds));
  }

  append(append: Append): Promise<Appended> {
    return this.#do(() => this.#appends.add(append));
  }

  read(
    taskId: string,
    after: number,
    limit: number,
    maxBytes?: number,
  ): Promise<readonly LogEntry[]> {
    return this.#do(() => this.#reads.add({ taskId, after, limit, maxBytes: bound(maxBytes) }));
  }

  load(taskId: string, maxBytes?: number): Promise<StoredTask | undefined> {
    return this.#do(() => this.#loads.add({ taskId, maxBytes: bound(maxBytes) }));
  }

  loadRecord(taskId: string): Promise<TaskRecord | undefined> {
    return this.#do(() => this.#records.add(taskId));
  }

  list(query: ListTasksQuery): Promise<TaskPage> {
    return this.#do(() => listTasks(this.#place, query));
  }

  listAgents(): Promise<readonly string[]> {
    return this.#do(() => listAgents(this.#place));
  }

  loadUsage(subject: string, agent: string): Promise<Usage> {
    return this.#do(() => loadUsage(this.#place, subject, agent));
  }

  findByMessageId(scope: Scope, messageId: string): Promise<string | undefined> {
    return this.#do(() => findByMessageId(this.#place, scope, messageId));
  }

  deleteEnded(before: number, limit: number): Promise<number> {
    return this.#do(() => deleteEnded(this.#place, before, limit));
  }

  renewNode(node: string, forMs: number, info: NodeInfo): Promise<Renewal> {
    return this.#do(() => leases.renewNode(this.#place, node, forMs, info));
  }

  releaseNode(node: string): Promise<void> {
    return this.#do(() => leases.releaseNode(this.#place, node));
  }

  isLive(node: string): Promise<boolean> {
    return this.#do(() => leases.isLive(this.#place, node));
  }

  listNodes(): Promise<readonly NodeRecord[]> {
    return this.#do(() => leases.listNodes(this.#place));
  }

  setDraining(node: string, isDraining: boolean): Promise<boolean> {
    return this.#do(() => leases.setDraining(this.#place, node, isDraining));
  }

  claim(claim: Claim): Promise<number | undefined> {
    return this.#do(() => leases.claimTask(this.#place, claim));
  }

  claimAbandoned(
    agent: string,
    node: string,
    limit: number,
    terms?: ClaimTerms,
  ): Promise<readonly ClaimedTask[]> {
    return this.#do(() => leases.claimAbandoned(this.#place, { agent, node, limit, ...terms }));
  }

  listHeld(agent: string, node: string): Promise<readonly string[]> {
    return this.#do(() => leases.listHeld(this.#place, agent, node));
  }

  savePushConfig(record: PushConfigRecord, limits?: StoreLimits): Promise<boolean> {
    return this.#do(() => configs.savePushConfig(this.#place, record, limits));
  }

  loadPushConfig(taskId: string, configId: string): Promise<PushConfigRecord | undefined> {
    return this.#do(() => configs.loadPushConfig(this.#place, taskId, configId));
  }

  listPushConfigs(
    taskId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly PushConfigRecord[]> {
    return this.#do(() => configs.listPushConfigs(this.#place, taskId, after, limit));
  }

  deletePushConfig(taskId: string, configId: string): Promise<void> {
    return this.#do(() => configs.deletePushConfig(this.#place, taskId, configId));
  }

  claimQueues(claim: QueueClaim): Promise<readonly ClaimedQueue[]> {
    return this.#do(() => outbox.claimQueues(this.#place, claim));
  }

  settleQueue(settlement: QueueSettlement): Promise<void> {
    return this.#do(() => outbox.settleQueue(this.#place, settlement));
  }

  nextDeliveryAt(agent: string): Promise<number | undefined> {
    return this.#do(() => outbox.nextDeliveryAt(this.#place, agent));
  }

  listBuried(query: {
    readonly agent: string;
    readonly after?: DeliveryKey;
    readonly limit: number;
  }): Promise<readonly BuriedDelivery[]> {
    return this.#do(() => outbox.listBuried(this.#place, query));
  }

  reviveDelivery(key: DeliveryKey, now: number): Promise<boolean> {
    return this.#do(() => outbox.reviveDelivery(this.#place, key, now));
  }

  countDeliveries(agent: string): Promise<{ readonly waiting: number; readonly buried: number }> {
    return this.#do(() => outbox.countDeliveries(this.#place, agent));
  }

  loadIdempotentResult(
    scope: Scope,
    key: string,
    now: number,
  ): Promise<IdempotentResult | undefined> {
    return this.#do(() => loadIdempotentResult(this.#place, scope, key, now));
  }

  saveReply(scope: Scope, claim: ReplyClaim, reply: Message, limits?: StoreLimits): Promise<void> {
    return this.#do(() => saveReply(this.#place, { whose: scope, claim, reply, limits }));
  }

  deleteExpiredKeys(now: number, limit: number): Promise<number> {
    return this.#do(() => deleteExpiredKeys(this.#place, now, limit));
  }

  settleSecret(name: string, proposed: string): Promise<string> {
    return this.#do(() => settleSecret(this.#place, name, proposed));
  }

  connections(): ReturnType<NonNullable<Store["connections"]>> {
    return this.#place.database.connections();
  }

  check(): Promise<void> {
    return this.#do(() => this.#place.database.check());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await this.#place.database.close();
  }

  /** Refuses work on a closed store, and says of other errors that the store failed. */
  async #do<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw new A2AError("UNAVAILABLE", "the store is closed");
    const doing = work();
    this.#underWay.add(doing);
    try {
      return await doing;
    } catch (error) {
      throw toFailure(error);
    } finally {
      this.#underWay.delete(doing);
    }
  }
}

function bound(maxBytes: number | undefined): number | undefined {
  return maxBytes === Infinity ? undefined : maxBytes;
}
