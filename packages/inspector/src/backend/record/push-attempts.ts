import type { PushSender } from "@parley/a2a/server";
import type { PushAttempt } from "../../contract/index.js";
import { createRedactor } from "../../record/index.js";
import type { Feed } from "./feed.js";

/** How many attempts are kept. */
const maxAttempts = 1000;

type Notification = Parameters<PushSender["send"]>[0];
type Ended = Pick<PushAttempt, "outcome" | "reason" | "isFinal">;

/** The last attempts of a server to send push notifications, and what became of each. */
export class PushAttempts {
  readonly #feed: Feed;
  readonly #kept = new Map<number, PushAttempt>();
  readonly #redactor = createRedactor([]);
  #last = 0;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** Oldest first. */
  all(): readonly PushAttempt[] {
    return [...this.#kept.values()];
  }

  /** The same sender, whose attempts are recorded. */
  watch(sender: PushSender): PushSender {
    return {
      admit: (config) => sender.admit(config),
      close: () => sender.close(),
      send: async (notification, signal) => {
        const end = this.#begin(notification);
        // The runtime ignores what comes later.
        const giveUp = (): void => end({ outcome: "failed", reason: "no answer in time" });
        signal.addEventListener("abort", giveUp, { once: true });
        try {
          const outcome = await sender.send(notification, signal);
          if (outcome.kind === "arrived") end({ outcome: "arrived" });
          else {
            const { reason, isFinal } = outcome;
            end({ outcome: "failed", reason, ...(isFinal === true && { isFinal }) });
          }
          return outcome;
        } catch (error) {
          end({
            outcome: "failed",
            reason: error instanceof Error ? error.message : String(error),
          });
          throw error;
        } finally {
          signal.removeEventListener("abort", giveUp);
        }
      },
    };
  }

  /** Records that an attempt begins; the function that is returned records its end, once. */
  #begin({ config, event, sequence, attempt }: Notification): (ended: Ended) => void {
    const begun: PushAttempt = {
      id: (this.#last += 1),
      taskId: taskIdIn(event) ?? config.taskId ?? "",
      configId: config.id ?? "",
      sequence,
      attempt,
      host: hostOf(config.url),
      startedAt: Date.now(),
    };
    this.#keep(begun);
    let isOver = false;
    return ({ reason, ...ended }) => {
      if (isOver) return;
      isOver = true;
      const why = reason === undefined ? {} : { reason: this.#redactor.text(reason) };
      this.#keep({ ...begun, ...ended, ...why, endedAt: Date.now() });
    };
  }

  #keep(attempt: PushAttempt): void {
    const isDropped = attempt.endedAt !== undefined && !this.#kept.has(attempt.id);
    if (!isDropped) this.#kept.set(attempt.id, attempt);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxAttempts && oldest !== undefined) this.#kept.delete(oldest);
    this.#feed.add({ kind: "push", attempt });
  }
}

function taskIdIn(event: Notification["event"]): string | undefined {
  return event.task?.id ?? (event.statusUpdate ?? event.artifactUpdate ?? event.message)?.taskId;
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}
