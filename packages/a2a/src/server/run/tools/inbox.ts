import { neverSettles } from "../../../async/internal.js";
import type { LightSignal } from "../../../async/internal.js";
import type { Message } from "../../../protocol/internal.js";
import type { Journal } from "../../journal/journal.js";
import type { Teller } from "./teller.js";
import type { TaskWriter } from "../writer/task-writer.js";

/** What an inbox works with. */
interface InboxParts {
  readonly journal: Journal;
  readonly writer: TaskWriter;
  readonly teller: Teller;
  /** Aborted when the run is stopped. */
  readonly stop: LightSignal;
  /** The handler waits for no message any more. */
  readonly idle: () => void;
}

/** The messages that arrive while a handler works, and that answer no question. */
export class Inbox {
  readonly #parts: InboxParts;
  /** How many messages the handler has got. A wait that is called off gets none, and has no number. */
  #count = 0;
  #readers = 0;
  readonly #waiting = new Set<() => void>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** True when the handler does not wait for a message. */
  get isIdle(): boolean {
    return this.#readers === 0;
  }

  /** The next message, or the recorded one in a handler that is begun again. The signal calls the wait off. */
  next(signal?: AbortSignal): Promise<Message> {
    const message = this.#next(signal);
    message.catch(() => undefined);
    return message;
  }

  /** Lets those look again who wait: there is a message, or the run is stopped. */
  wake(): void {
    for (const wake of this.#waiting) wake();
  }

  async #next(signal: AbortSignal | undefined): Promise<Message> {
    const { journal, teller } = this.#parts;
    signal?.throwIfAborted();
    const recorded = journal.taken(this.#count + 1);
    if (recorded !== undefined) {
      this.#count += 1;
      await teller.reach(recorded.sequence);
      return recorded.message;
    }
    this.#readers += 1;
    try {
      return await this.#take(signal);
    } finally {
      this.#readers -= 1;
      if (this.isIdle) this.#parts.idle();
    }
  }

  async #take(signal: AbortSignal | undefined): Promise<Message> {
    const { journal, writer, teller, stop } = this.#parts;
    await teller.live();
    await writer.ready();
    for (;;) {
      if (writer.isClosing) return neverSettles();
      stop.throwIfAborted();
      signal?.throwIfAborted();
      const message = journal.take();
      if (message !== undefined) {
        const nth = (this.#count += 1);
        const taken = { kind: "message-taken", nth, messageId: message.messageId } as const;
        await writer.write(() => ({ events: [taken] }));
        return message;
      }
      await this.#awaken(signal);
    }
  }

  /** Resolves when there may be a message, or when the wait is called off. */
  #awaken(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake);
    });
  }
}
