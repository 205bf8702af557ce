import { A2AError } from "../../protocol/internal.js";
import type {
  CallContext,
  ListTasksRequest,
  ListTasksResponse,
  Task,
} from "../../protocol/internal.js";
import { weigh } from "../../store/internal.js";
import type { ListTasksQuery, StoredTask, TaskContent, TaskRecord } from "../../store/internal.js";
import { foldStored, isCut, largeBytes } from "../log/fold-stored.js";
import type { RunEnvironment } from "../run-environment.js";
import { shareOf } from "../shares/share.js";
import { accessOf, isUnknownOwner } from "./access.js";
import type { LargeReads } from "./large-reads.js";
import type { PageTokens } from "./page-tokens.js";
import { withHistory, withoutArtifacts } from "./task-view.js";

const defaultPageSize = 50;

interface Source {
  readonly environment: RunEnvironment;
  readonly agent: string;
  readonly pageTokens: PageTokens;
  readonly largeReads: LargeReads;
}

/** Lists the tasks that the caller can reach, the latest change of status first. */
export async function listTasks(
  source: Source,
  request: ListTasksRequest,
  call: CallContext,
): Promise<ListTasksResponse> {
  const { agent, pageTokens } = source;
  const { settings } = source.environment;
  const { contextId, status, pageSize = defaultPageSize, pageToken = "" } = request;
  const { owner, operates } = accessOf(call, settings);
  if (isUnknownOwner(owner, settings)) {
    return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
  }
  const state = status === "TASK_STATE_UNSPECIFIED" ? undefined : status;
  const since = request.statusTimestampAfter;
  const whose = operates ?? { owner };
  const filter = [contextId ?? null, state ?? null, since ?? null];
  const { tenant, subject } = owner;
  const list = JSON.stringify(["tasks", agent, tenant, subject, operates ?? null, ...filter]);
  const [statusAt, taskId] = pageToken === "" ? [] : await pageTokens.decode(pageToken, list);
  const page = new Page(source, request, call);
  await page.fill({
    ...whose,
    agent,
    ...(contextId !== undefined && { contextId }),
    ...(state !== undefined && { state }),
    ...(since !== undefined && { statusSince: Date.parse(since) }),
    ...(typeof statusAt === "number" &&
      typeof taskId === "string" && { after: { statusAt, taskId } }),
    limit: pageSize + 1,
    maxBytes: largeBytes,
    omits: page.omits,
  });
  const { tasks, next, totalSize } = page;
  const nextPageToken =
    next === undefined ? "" : await pageTokens.encode([next.statusAt, next.taskId], list);
  return { tasks, nextPageToken, pageSize, totalSize };
}

/**
 * One page: at most so many tasks and so many bytes, but at least one task. It holds one task at a time beyond what it
 * answers, and loads nothing that the request leaves out.
 */
class Page {
  readonly tasks: Task[] = [];
  readonly omits: readonly TaskContent[];
  totalSize = 0;
  /** The last task of the page, if more follow. */
  next: TaskRecord | undefined;
  readonly #source: Source;
  readonly #request: ListTasksRequest;
  readonly #call: CallContext;
  #bytes = 0;
  #last: TaskRecord | undefined;
  #giveBack: (() => void) | undefined;

  constructor(source: Source, request: ListTasksRequest, call: CallContext) {
    this.#source = source;
    this.#request = request;
    this.#call = call;
    const { includeArtifacts, historyLength } = request;
    this.omits = [
      ...(includeArtifacts === true ? [] : (["artifacts"] as const)),
      ...(historyLength === 0 ? (["history"] as const) : []),
    ];
  }

  /** Adds tasks until the page is full. The store returns as many at a time as make a small read. */
  async fill(query: ListTasksQuery): Promise<void> {
    const { environment } = this.#source;
    try {
      for (let after = query.after; ;) {
        const limit = query.limit - this.tasks.length;
        const found = await environment.store.list({ ...query, limit, ...(after && { after }) });
        this.totalSize = found.totalSize;
        for (const stored of found.tasks) {
          if (!(await this.#add(stored, query.limit - 1))) {
            this.next = this.#last;
            return;
          }
        }
        if (found.isCut !== true || this.#last === undefined) return;
        after = this.#last;
      }
    } catch (error) {
      this.#giveBack?.();
      this.#giveBack = undefined;
      throw error;
    } finally {
      this.#handOver();
    }
  }

  /** Adds a task; returns false when the page has no room for it. */
  async #add(stored: StoredTask, pageSize: number): Promise<boolean> {
    const { maxPageBytes } = this.#source.environment.settings;
    const isFull = (bytes: number): boolean =>
      this.tasks.length > 0 && this.#bytes + bytes > maxPageBytes;
    const isPartial = isCut(stored);
    // What is left out takes no room, so only the size of a whole task is known before it is loaded.
    const expected = isPartial && this.omits.length === 0 ? stored.record.bytes : 0;
    if (this.tasks.length === pageSize || isFull(expected)) return false;
    if (isPartial || this.#bytes > largeBytes)
      await this.#reserve(Math.max(expected, maxPageBytes));
    const task = isPartial ? await this.#read(stored) : await this.#view(stored);
    if (task !== undefined) {
      const bytes = weigh(task);
      if (isFull(bytes)) return false;
      this.tasks.push(task);
      this.#bytes += bytes;
    }
    this.#last = stored.record;
    return true;
  }

  async #reserve(bytes: number): Promise<void> {
    const { largeReads } = this.#source;
    const call = this.#call;
    this.#giveBack ??= await largeReads.reserve(shareOf(call), bytes, call.signal);
  }

  /** A large task: from memory where this node works on it, else from its log. `undefined` if it has been deleted. */
  async #read(stored: StoredTask): Promise<Task | undefined> {
    const { liveTasks } = this.#source.environment;
    const { taskId, sequence } = stored.record;
    const live = liveTasks.peek(taskId);
    if (live !== undefined && live.replica.sequence >= sequence) {
      return this.#trim((await live.snapshot()).task);
    }
    try {
      return await this.#view(stored);
    } catch (error) {
      if (A2AError.is(error) && error.code === "TASK_NOT_FOUND") return undefined;
      throw error;
    }
  }

  async #view(stored: StoredTask): Promise<Task> {
    const fold = await foldStored(this.#source.environment, stored, this.omits);
    return this.#trim(fold.task());
  }

  #trim(whole: Task): Task {
    const { includeArtifacts, historyLength } = this.#request;
    const task = withHistory(whole, historyLength);
    return includeArtifacts === true ? { artifacts: [], ...task } : withoutArtifacts(task);
  }

  /** The binding gives the room back when it has written the page. */
  #handOver(): void {
    const release = this.#giveBack;
    if (release === undefined) return;
    if (this.#call.holdAnswer === undefined) release();
    else this.#call.holdAnswer({ release });
  }
}
