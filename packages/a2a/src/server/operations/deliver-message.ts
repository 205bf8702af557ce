import { A2AError, isInterrupted, isSettled } from "../../protocol/internal.js";
import type { JsonObject, JsonValue, Message, TaskState } from "../../protocol/internal.js";
import type { LogEvent, TaskRecord } from "../../store/internal.js";
import { appendAtEnd } from "../log/append-at-end.js";
import { claimTask } from "../log/claim-task.js";
import type { LiveTask } from "../log/live-task.js";
import type { LiveHandle } from "../log/live-tasks.js";
import type { Snapshot } from "../log/task-replica.js";
import { isRefused } from "../log/write.js";
import type { Draft } from "../log/write.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";
import type { RunSlot } from "../shares/run-slot.js";
import { timestampOf } from "../timestamp.js";
import { taskNotFound } from "./access.js";

/** How often to look again where the handler of a task stands, while other nodes change that. */
const maxAttempts = 10;

/** A message for a task, and what goes into the log with it. */
interface Delivery {
  readonly message: Message;
  /** What a run that answers the message has to know of its call. */
  readonly call: JsonObject;
  /** As whom a run counts that this node begins with the message. */
  readonly share: string;
  readonly idempotency: Draft["idempotency"];
  readonly pushConfig: Draft["pushConfig"];
  readonly limits: Draft["limits"];
  readonly credentials: JsonValue | undefined;
  /** Throws when a task in this state takes no message. */
  readonly check: (state: TaskState) => void;
}

interface Parts {
  readonly environment: RunEnvironment;
  readonly runner: Runner;
}

/**
 * Where the handler stands that waits for an answer, as of an entry of the log. "here": on this node, or none has to
 * stand anywhere because the task does not wait. "elsewhere": on another live node. "nowhere": it has to be begun
 * again, by this node, which may.
 */
interface Standing {
  readonly where: "here" | "elsewhere" | "nowhere";
  readonly epoch: number;
  readonly sequence: number;
}

/** What became of a message. */
type Result =
  /** The run at work gets it. */
  | "received"
  | Standing["where"]
  /** Nothing is written: somebody else has changed the task. */
  | "undecided";

/**
 * Adds a message to a task. If the task waits for its caller, the message is the answer, and the append decides which
 * node goes on with it: this one if the handler waits here, the node where it waits if that is alive, else this one,
 * which begins the handler again. Credentials exist only here, so an answer that brings some is not left to another
 * node. Returns the task right after the message was added.
 */
export async function deliverMessage(
  parts: Parts,
  live: LiveTask,
  record: TaskRecord,
  delivery: Delivery,
): Promise<Snapshot> {
  let known = record;
  const place = new Place(parts.runner, delivery.share);
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (isAtWorkElsewhere(parts, live, known)) {
        if (await leave(parts, live, delivery)) return await live.snapshot();
      } else {
        const standing = await findHandler(parts, live, known, { delivery, place });
        const snapshot = standing && (await write(parts, live, standing, { delivery, place }));
        if (snapshot !== undefined) return snapshot;
      }
      await live.refresh();
      known = (await parts.environment.store.loadRecord(live.identity.taskId)) ?? known;
    }
  } finally {
    place.release();
  }
  throw new A2AError("UNAVAILABLE", "other nodes keep claiming the task; try again", {
    details: { retryAfterSeconds: 1 },
  });
}

/** Whether a run works on the task, or is about to, and not on this node. */
function isAtWorkElsewhere(
  { environment, runner }: Parts,
  live: LiveTask,
  { state, node }: TaskRecord,
): boolean {
  return !isSettled(state) && node !== environment.node && !runner.answers.isHere(live);
}

/** Adds the message to the log for the run at work to read. False when no run works on the task any more. */
function leave({ environment }: Parts, live: LiveTask, delivery: Delivery): Promise<boolean> {
  delivery.check(live.replica.state);
  return appendAtEnd(environment, live, { events: [addedBy(delivery)], ...along(delivery) });
}

/** Finds out where the handler stands, and claims the task from a node that is dead. `undefined`: look again. */
async function findHandler(
  { environment, runner }: Parts,
  live: LiveTask,
  { epoch, sequence, state, node: holder }: TaskRecord,
  { delivery: { credentials }, place }: { readonly delivery: Delivery; readonly place: Place },
): Promise<Standing | undefined> {
  const { store, node } = environment;
  if (!isInterrupted(state) || runner.answers.isHere(live))
    return { where: "here", epoch, sequence };
  if (holder === undefined) return { where: "nowhere", epoch, sequence };
  // A handler of this node that does not wait here was dropped, or is on its way back to work: the claim settles it.
  if (holder !== node && credentials === undefined) {
    if (await store.isLive(holder)) return { where: "elsewhere", epoch, sequence };
  }
  const { taskId } = live.identity;
  place.reserve();
  const claimed = await claimTask(environment, { taskId, epoch, sequence });
  if (claimed === undefined) return undefined;
  live.replica.adopt(claimed);
  return { where: "nowhere", epoch: claimed, sequence };
}

async function write(
  { environment, runner }: Parts,
  live: LiveTask,
  standing: Standing,
  { delivery, place }: { readonly delivery: Delivery; readonly place: Place },
): Promise<Snapshot | undefined> {
  const { node, clock, orphans } = environment;
  const { share, credentials } = delivery;
  const { taskId } = live.identity;
  const added = addedBy(delivery);
  const timestamp = timestampOf(clock.now());
  const working = {
    kind: "status-changed",
    status: { state: "TASK_STATE_WORKING", timestamp },
  } as const;
  const rest = along(delivery);
  let result: Result = "undecided";
  const build = (state: TaskState): Draft | undefined => {
    delivery.check(state);
    if (!isInterrupted(state)) {
      result = "received";
      return { events: [added], ...rest };
    }
    const resumed = runner.answers.takesUp(live, credentials);
    if (resumed !== undefined) {
      result = "here";
      return { events: [added, working, resumed], ...rest };
    }
    const { epoch, sequence } = live.replica;
    const isAsFound = epoch === standing.epoch && sequence === standing.sequence;
    // A handler that stood here as far as this node knew may stand on another node by now.
    result = isAsFound && standing.where !== "here" ? standing.where : "undecided";
    if (result === "undecided") return undefined;
    if (result === "elsewhere") return { events: [added, working], ...rest };
    place.reserve();
    return { events: [added, working], node, ...rest };
  };
  const resultOf = (): Result => result;
  try {
    // The append decides which node goes on with the task.
    const { epoch, sequence } = await live.write(build, {
      alone: true,
      isRefusable: delivery.limits !== undefined,
    });
    const how = resultOf();
    runner.answers.answered(live, how !== "undecided");
    if (how === "undecided") return undefined;
    const received = await live.snapshot();
    if (how === "elsewhere") {
      void runner.leaveToHolder({
        handle: await open(environment, taskId),
        epoch,
        sequence,
        share,
      });
    }
    if (how === "nowhere") {
      const held = { handle: await open(environment, taskId), epoch };
      await runner.startAgain(held, {
        share,
        slot: place.take(),
        ...(credentials !== undefined && { credentials }),
      });
    }
    return received;
  } catch (error) {
    runner.answers.answered(live, false);
    // The store may have committed the message, so recovery has to look at the task.
    if (resultOf() === "nowhere" && !isRefused(error)) orphans.add(taskId);
    throw error;
  }
}

/** The entry of a message. */
function addedBy({ message, call }: Delivery): LogEvent {
  return { kind: "message-added", message, call };
}

/** What is written along with it. */
function along({ message, idempotency, pushConfig, limits }: Delivery): Omit<Draft, "events"> {
  return {
    messageIds: [message.messageId],
    ...(idempotency !== undefined && { idempotency }),
    ...(pushConfig !== undefined && { pushConfig }),
    ...(limits !== undefined && { limits }),
  };
}

/** A slot for a handler that is begun again: reserved before anything is written, and given up if it is not used. */
class Place {
  readonly #runner: Runner;
  readonly #share: string;
  #slot: RunSlot | undefined;

  constructor(runner: Runner, share: string) {
    this.#runner = runner;
    this.#share = share;
  }

  /** Throws when there is no slot. */
  reserve(): void {
    this.#slot ??= this.#runner.reserve(this.#share, "task");
  }

  take(): RunSlot {
    const slot = this.#slot ?? this.#runner.reserve(this.#share, "task");
    this.#slot = undefined;
    return slot;
  }

  release(): void {
    this.#slot?.release();
  }
}

async function open({ liveTasks }: RunEnvironment, key: string): Promise<LiveHandle> {
  const handle = await liveTasks.open(key);
  if (handle === undefined) throw taskNotFound(key);
  return handle;
}
