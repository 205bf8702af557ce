import { createDeferred, delayAtMost, foregroundClock, nextTurn } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import type { Carrier, Ears } from "../shared/carrier.js";
import { reasonOf } from "../shared/notices.js";
import type { Notices } from "../shared/notices.js";
import type { Batch } from "../shared/outbox.js";
import { retryPauseMs } from "../shared/retry-pause.js";
import type { Channel, OpenChannel } from "./channel.js";
import { encode, readLines, readStamp } from "./payload.js";
import type { Stamp } from "./payload.js";

export interface BroadcastOptions {
  readonly ears: Ears;
  readonly open: OpenChannel;
  readonly clock: Clock;
  /** For what somebody awaits. Default: the platform's clock. */
  readonly waitingClock?: Clock;
  readonly notices: Notices;
  /** What is wrong, and what helps, when texts can be sent but none comes back. */
  readonly deafness: string;
  /** Whether it is of no use to open the channel again after this error. Looked at in `start` only. */
  readonly isHopeless?: (error: unknown) => boolean;
  readonly random?: () => number;
}

/** One opening of the channel, up to its end. */
interface Life {
  /** Names this process on the channel. A new one in each life: numbers begin anew. */
  readonly sender: string;
  readonly openedAt: number;
  /** The numbers of the last own texts: sent, heard, and due to be heard when the carrier looks next. */
  sent: number;
  heard: number;
  due: number;
  /** Whether no other process was on the channel when the carrier looked last. */
  isAlone: boolean;
  isOver: boolean;
  channel: Channel | undefined;
  /** The other processes: the number of the last text from each, and when it came. */
  readonly peers: Map<string, { number: number; at: number }>;
}

/** How often the carrier sends a text to itself. */
const pingMs = 5000;

/** A process that was silent for so long is gone. */
const absentMs = 3 * pingMs;

/** How long opening waits for the first own text. */
const firstTextMs = 2000;

/** A channel on which nothing was ever heard is opened again after this time. Until then it is good for sending. */
const deafMs = 60_000;

/**
 * Carries batches over a channel that all processes hear. It hears its own texts too: one that does not come back shows
 * that the channel is lost, and is opened again. It hears those of the other processes: while there are none, it sends no
 * batches.
 */
export class BroadcastCarrier implements Carrier {
  readonly #options: BroadcastOptions;
  readonly #firstHeard = createDeferred<void>();
  #life: Life | undefined;
  #failures = 0;
  #isClosed = false;
  #cancelTimer = (): void => {};

  constructor(options: BroadcastOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#life !== undefined && this.#life.heard > 0;
  }

  get isSending(): boolean {
    return this.#life?.channel !== undefined && !this.#life.isAlone;
  }

  /** Resolves when the carrier hears itself, or tries to in the background. Rejects if there is no hope of that. */
  async start(): Promise<void> {
    const { isHopeless, waitingClock = foregroundClock } = this.#options;
    try {
      await this.#open();
    } catch (error) {
      if (isHopeless?.(error) === true) {
        await this.close();
        throw error;
      }
      this.#fail(error);
      return;
    }
    const heard = new AbortController();
    void this.#firstHeard.promise.then(() => heard.abort());
    await delayAtMost(waitingClock, firstTextMs, heard.signal);
    if (this.#life?.heard === 0) this.#complainOfDeafness();
  }

  async send(batch: Batch): Promise<void> {
    const life = this.#life;
    if (life === undefined) throw new Error("the channel is lost");
    await this.#sendText(life, batch);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#firstHeard.resolve();
    await this.#end();
  }

  async #open(): Promise<void> {
    const life: Life = {
      sender: globalThis.crypto.randomUUID().slice(0, 8),
      openedAt: this.#options.clock.now(),
      sent: 0,
      heard: 0,
      due: 1,
      isAlone: false,
      isOver: false,
      channel: undefined,
      peers: new Map(),
    };
    const lose = (reason: unknown): void => {
      life.isOver = true;
      if (life === this.#life) this.#lose(reason);
    };
    const channel = await this.#options.open({
      hear: (text) => this.#hear(life, text),
      miss: () => this.#options.ears.miss(),
      end: lose,
    });
    if (this.#isClosed || life.isOver) {
      await channel.close();
      if (!this.#isClosed) throw new Error("the channel ended at once");
      return;
    }
    life.channel = channel;
    this.#life = life;
    this.#lookLater(life);
    this.#ping(life);
    this.#options.ears.change();
  }

  #hear(life: Life, text: string): void {
    const stamp = readStamp(text);
    if (stamp === undefined || life.isOver || this.#isClosed) return;
    if (stamp.sender === life.sender) this.#hearItself(life, stamp);
    else this.#hearPeer(life, stamp, text);
  }

  #hearItself(life: Life, { number }: Stamp): void {
    const isFirst = life.heard === 0;
    life.heard = Math.max(life.heard, number);
    if (!isFirst) return;
    this.#failures = 0;
    this.#firstHeard.resolve();
    this.#options.notices.solved();
    this.#options.ears.change();
  }

  #hearPeer(life: Life, { sender, number }: Stamp, text: string): void {
    const { ears, clock } = this.#options;
    const peer = life.peers.get(sender);
    if (peer !== undefined && number > peer.number + 1) ears.miss();
    life.peers.set(sender, { number, at: clock.now() });
    readLines(text, ears);
    if (!life.isAlone) return;
    // It may have waited for what was kept since it began to listen.
    life.isAlone = false;
    ears.change();
  }

  async #sendText(life: Life, batch?: Batch): Promise<void> {
    life.sent += 1;
    try {
      await life.channel?.send(encode({ sender: life.sender, number: life.sent }, batch));
    } catch (error) {
      life.isOver = true;
      if (life === this.#life) this.#lose(error);
      throw error;
    }
  }

  #ping(life: Life): void {
    life.due = life.sent + 1;
    this.#sendText(life).catch(() => undefined);
  }

  #lookLater(life: Life): void {
    const { clock, random = Math.random } = this.#options;
    // Spread, so that the texts of many processes do not come together.
    const pauseMs = pingMs * (0.9 + random() / 5);
    this.#cancelTimer = clock.after(pauseMs, () => void this.#look(life));
  }

  async #look(life: Life): Promise<void> {
    // A busy process reads first what has arrived meanwhile.
    await nextTurn();
    if (life !== this.#life) return;
    const now = this.#options.clock.now();
    if (life.heard < life.due) {
      if (life.heard > 0 || now - life.openedAt > deafMs) {
        this.#lose(new Error(`nothing was heard for ${pingMs / 1000} seconds`));
        return;
      }
      this.#complainOfDeafness();
    }
    for (const [sender, { at }] of life.peers) {
      if (now - at > absentMs) life.peers.delete(sender);
    }
    const isAlone = life.heard > 0 && life.peers.size === 0 && now - life.openedAt > absentMs;
    life.isAlone = isAlone;
    this.#lookLater(life);
    this.#ping(life);
  }

  #complainOfDeafness(): void {
    this.#options.notices.problem(this.#options.deafness);
  }

  #lose(reason: unknown): void {
    const wasHeard = (this.#life?.heard ?? 0) > 0;
    void this.#end();
    this.#fail(reason, wasHeard ? "the connection was lost" : undefined);
    this.#options.ears.change();
  }

  #fail(reason: unknown, what = "cannot connect"): void {
    if (this.#isClosed) return;
    const { clock, notices, random } = this.#options;
    notices.problem(`${what} (${reasonOf(reason)})`, reason);
    const pauseMs = retryPauseMs(this.#failures, random);
    this.#failures += 1;
    this.#cancelTimer = clock.after(pauseMs, () => {
      this.#open().catch((error: unknown) => this.#fail(error));
    });
  }

  async #end(): Promise<void> {
    this.#cancelTimer();
    const life = this.#life;
    this.#life = undefined;
    if (life === undefined) return;
    life.isOver = true;
    await life.channel?.close().catch(() => undefined);
  }
}
