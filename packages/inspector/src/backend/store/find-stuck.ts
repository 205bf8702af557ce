import type { LogEntry, NodeRecord, Store, TaskRecord } from "@parley/a2a/store";
import type { StuckTask } from "../../contract/index.js";

/** After how long something counts as stuck, in milliseconds. */
export interface StuckTerms {
  /** A log that is silent for longer, while its node lives. */
  readonly silentMs: number;
  /** A task that goes on for longer after it was canceled. */
  readonly cancelMs: number;
  /** A task that no node works on for longer. */
  readonly abandonedMs: number;
}

const defaultTerms: StuckTerms = { silentMs: 300_000, cancelMs: 30_000, abandonedMs: 5000 };

/** How much of the end of a log is looked at, and how often a run may be begun again before it counts as a loop. */
const tailLength = 40;
const maxAttempts = 3;

/** Remembers epochs between looks: those of a task in a crash loop rise while its log stands still. */
export class StuckFinder {
  readonly #terms: StuckTerms;
  #seen = new Map<
    string,
    { readonly epoch: number; readonly sequence: number; readonly at: number }
  >();

  constructor(terms: Partial<StuckTerms> = {}) {
    this.#terms = { ...defaultTerms, ...terms };
  }

  /** Those of some active tasks that do not go on, and why. */
  async find(
    store: Pick<Store, "read">,
    records: readonly TaskRecord[],
    nodes: readonly NodeRecord[],
    now: number,
  ): Promise<readonly StuckTask[]> {
    const live = new Set(
      nodes.filter(({ leaseLeftMs }) => leaseLeftMs > 0).map(({ node }) => node),
    );
    const found = await Promise.all(
      records.map(async (record) => {
        const from = Math.max(0, record.sequence - tailLength);
        const tail = await store.read(record.taskId, from, tailLength, 1024 * 1024);
        return this.#judge(record, tail, live, now);
      }),
    );
    this.#seen = new Map(
      records.map(({ taskId, epoch, sequence }) => {
        const before = this.#seen.get(taskId);
        const isSame = before?.sequence === sequence;
        return [taskId, isSame ? before : { epoch, sequence, at: now }];
      }),
    );
    return found.filter((one) => one !== undefined).sort((a, b) => a.since - b.since);
  }

  #judge(
    record: TaskRecord,
    tail: readonly LogEntry[],
    live: ReadonlySet<string>,
    now: number,
  ): StuckTask | undefined {
    const lastAt = tail.at(-1)?.at ?? record.statusAt;
    const silentMs = now - lastAt;
    const canceled = tail.findLast(({ event }) => event.kind === "cancel-requested");
    if (canceled !== undefined && now - canceled.at > this.#terms.cancelMs) {
      const explanation =
        "A caller has canceled it, and its handler does not stop: let the handler watch `signal`. Cancel it again: after `cancelGraceMs` the server ends it without its handler.";
      return { record, reason: "cancel-ignored", since: canceled.at, explanation };
    }
    const begun = restarts(tail);
    const before = this.#seen.get(record.taskId);
    const raised = before?.sequence === record.sequence ? record.epoch - before.epoch : 0;
    if (begun >= maxAttempts || raised >= maxAttempts) {
      const since = tail.at(-Math.max(1, begun))?.at ?? lastAt;
      const count = Math.max(begun, raised);
      const explanation = `Nodes have taken it up ${count} times, and it has not come any further: its handler ends them, or the run. Look at the node's log, and cancel the task.`;
      return { record, reason: "crash-loop", since, explanation };
    }
    const isHeld = record.node !== undefined && live.has(record.node);
    if (!isHeld && silentMs > this.#terms.abandonedMs) {
      const whose =
        record.node === undefined ? "No node holds it" : "Its node has no lease any more";
      const explanation = `${whose}. A node of ${record.agent} takes it over as soon as one runs: start one.`;
      return { record, reason: "no-lease", since: lastAt, explanation };
    }
    if (isHeld && silentMs > this.#terms.silentMs) {
      const explanation = `Its node lives, and its log has been silent for ${inWords(silentMs)}: the handler waits for something, or works without a word. Cancel it, or let it yield a status now and then.`;
      return { record, reason: "silent", since: lastAt, explanation };
    }
    return undefined;
  }
}

/** How often the run was begun again at the end of the log, with nothing said in between. */
function restarts(tail: readonly LogEntry[]): number {
  let count = 0;
  for (const { event } of [...tail].reverse()) {
    if (event.kind !== "run-resumed") break;
    count += 1;
  }
  return count;
}

function inWords(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
