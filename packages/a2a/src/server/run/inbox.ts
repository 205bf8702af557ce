import { neverSettles } from "../../async/internal.js";
import type { LightSignal } from "../../async/internal.js";
import type { Message } from "../../protocol/internal.js";
import type { Journal } from "../journal/journal.js";
import type { Teller } from "./teller.js";
import type { TaskWriter } from "./writer/task-writer.js";

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
  #count = 0;
  #readers = 0;
  #waiting: (() => void)[] = [];

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** True when the handler does not wait for a message. */
  get isIdle(): boolean {
    return this.#readers === 0;
  }

  /** The next message, or the recorded one in a handler that is begun again. */
  next(): Promise<Message> {
    this.#count += 1;
    const message = this.#next(this.#count);
    message.catch(() => undefined);
    return message;
  }

  /** Lets those look again who wait: there is a message, or the run is stopped. */
  wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #next(nth: number): Promise<Message> {
    const { journal, teller } = this.#parts;
    const recorded = journal.taken(nth);
    if (recorded !== undefined) {
      await teller.reach(recorded.sequence);
      return recorded.message;
    }
    this.#readers += 1;
    try {
      return await this.#take(nth);
    } finally {
      this.#readers -= 1;
      if (this.isIdle) this.#parts.idle();
    }
  }

  async #take(nth: number): Promise<Message> {
    const { journal, writer, teller, stop } = this.#parts;
    await teller.live();
    await writer.ready();
    for (;;) {
      if (writer.isClosing) return neverSettles();
      stop.throwIfAborted();
      const message = journal.take();
      if (message !== undefined) {
        const taken = { kind: "message-taken", nth, messageId: message.messageId } as const;
        await writer.write(() => ({ events: [taken] }));
        return message;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
