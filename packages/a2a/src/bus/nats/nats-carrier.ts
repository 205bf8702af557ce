import { atTurnsEnd } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import type { BusTopic } from "../bus.js";
import type { Carrier, Ears } from "../shared/carrier.js";
import { reasonOf } from "../shared/notices.js";
import type { Notices } from "../shared/notices.js";
import type { Batch } from "../shared/outbox.js";
import { retryPauseMs } from "../shared/retry-pause.js";
import type {
  NatsConnection,
  NatsConnectOptions,
  NatsMessage,
  NatsStatus,
  NatsSubscription,
} from "./load-nats.js";

/** What the carrier decides about a connection. */
type ConnectionManners = Omit<
  NatsConnectOptions,
  "servers" | "name" | "user" | "pass" | "token" | "tls"
>;

export interface NatsCarrierOptions {
  readonly ears: Ears;
  /** The beginning of all subjects. */
  readonly prefix: string;
  readonly connect: (options: ConnectionManners) => Promise<NatsConnection>;
  readonly clock: Clock;
  readonly notices: Notices;
  /** Whether it is of no use to connect again after this error. Looked at in `start` only. */
  readonly isHopeless: (error: unknown) => boolean;
}

/** How often the connection is tried. It is lost when two tries have no answer, within nine seconds. */
const pingMs = 3000;

/** How long a server may take to greet. */
const connectMs = 5000;

const gap = "lost";

/**
 * Carries batches over NATS. Each task that somebody here follows has a subscription of its own, so that a node hears of its
 * own tasks and of no others, however many nodes there are.
 */
export class NatsCarrier implements Carrier {
  readonly #options: NatsCarrierOptions;
  readonly #subscriptions = new Map<string, NatsSubscription | undefined>();
  #connection: NatsConnection | undefined;
  #isConnected = false;
  /** Whether the server forbids what this node has to publish or to hear, since it connected last. */
  #isForbidden = false;
  #failures = 0;
  #isClosed = false;
  #cancelTimer = (): void => {};
  #flushing: Promise<void> | undefined;

  constructor(options: NatsCarrierOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get isSending(): boolean {
    return this.#isConnected;
  }

  /** Resolves when the carrier is connected, or tries to in the background. Rejects if there is no hope of that. */
  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if (this.#options.isHopeless(error)) throw error;
      this.#fail(error);
    }
  }

  async send({ wakeUps, told, hasGap }: Batch): Promise<void> {
    const { prefix } = this.#options;
    const connection = this.#connection;
    if (connection === undefined) throw new Error("not connected");
    if (hasGap) connection.publish(`${prefix}.n.${gap}`);
    for (const { topic, message } of told) connection.publish(`${prefix}.n.${topic}`, message);
    for (const [key, sequence] of wakeUps) connection.publish(`${prefix}.t.${key}`, `${sequence}`);
    // The server has it. What is published meanwhile goes together.
    await connection.flush();
  }

  follow(key: string): Promise<void> {
    if (this.#subscriptions.get(key) === undefined) this.#subscriptions.set(key, this.#listen(key));
    return this.#isConnected ? (this.#flushing ??= this.#flush()) : Promise.resolve();
  }

  unfollow(key: string): void {
    const subscription = this.#subscriptions.get(key);
    this.#subscriptions.delete(key);
    if (this.#connection?.isClosed() === false) subscription?.unsubscribe();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isConnected = false;
    this.#cancelTimer();
    const connection = this.#connection;
    this.#connection = undefined;
    // What was published before is sent. A connection that is cut is not waited for.
    await connection?.close();
  }

  async #connect(): Promise<void> {
    const connection = await this.#options.connect({
      noEcho: true,
      pingInterval: pingMs,
      maxPingOut: 2,
      timeout: connectMs,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      reconnectDelayHandler: () => retryPauseMs(this.#failures),
    });
    if (this.#isClosed) {
      await connection.close();
      return;
    }
    this.#connection = connection;
    connection.subscribe(`${this.#options.prefix}.n.*`, {
      callback: (error, message) => this.#hear(error, message),
    });
    for (const key of this.#subscriptions.keys()) {
      this.#subscriptions.set(key, this.#listen(key));
    }
    void this.#watch(connection);
    await this.#begin(connection);
  }

  /**
   * Counts as connected once the server has answered: it knows every subscription by then. Whoever reads its logs because it
   * is connected again would miss what is published between that reading and its subscription.
   */
  async #begin(connection: NatsConnection): Promise<void> {
    this.#isForbidden = false;
    try {
      await connection.flush();
    } catch {
      return; // Lost before the answer. The client reconnects, and begins again.
    }
    if (connection === this.#connection && !this.#isForbidden) this.#settle(true);
  }

  #listen(key: string): NatsSubscription | undefined {
    const { prefix, ears } = this.#options;
    return this.#connection?.subscribe(`${prefix}.t.${key}`, {
      callback: (error, message) => {
        const sequence = error === null ? Number(message.string()) : Number.NaN;
        if (Number.isSafeInteger(sequence)) ears.wake(key, sequence);
      },
    });
  }

  #hear(error: Error | null, message: NatsMessage): void {
    if (error !== null) return;
    const { ears } = this.#options;
    const topic = message.subject.slice(message.subject.lastIndexOf(".") + 1);
    if (topic === gap) ears.miss();
    else if (isTopic(topic)) ears.hear(topic, message.string());
  }

  /** One round trip for all subscriptions of a turn. When it ends, the server knows of them. */
  async #flush(): Promise<void> {
    await new Promise<void>((resolve) => atTurnsEnd(resolve));
    this.#flushing = undefined;
    await this.#connection?.flush().catch(() => undefined);
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) this.#follow(connection, status);
    const reason = await connection.closed();
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    for (const key of this.#subscriptions.keys()) this.#subscriptions.set(key, undefined);
    this.#settle(false);
    this.#fail(reason ?? new Error("the connection was closed"));
  }

  #follow(connection: NatsConnection, status: NatsStatus): void {
    const { notices } = this.#options;
    if (this.#isClosed) return;
    if (status.type === "disconnect") {
      notices.problem(`the connection to ${status.server} was lost`);
      this.#settle(false);
    }
    if (status.type === "reconnecting") this.#failures += 1;
    if (status.type === "reconnect") void this.#begin(connection);
    if (status.type === "error" && /permission/iu.test(status.error.message)) {
      this.#isForbidden = true;
      notices.problem(`the server refuses it (${reasonOf(status.error)})`, status.error);
      this.#settle(false);
    }
  }

  #settle(isConnected: boolean): void {
    if (isConnected) {
      this.#failures = 0;
      this.#options.notices.solved();
    }
    if (this.#isConnected === isConnected) return;
    this.#isConnected = isConnected;
    this.#options.ears.change();
  }

  #fail(reason: unknown): void {
    if (this.#isClosed) return;
    const { clock, notices } = this.#options;
    notices.problem(`cannot connect (${reasonOf(reason)})`, reason);
    const pauseMs = retryPauseMs(this.#failures);
    this.#failures += 1;
    this.#cancelTimer = clock.after(pauseMs, () => {
      this.#connect().catch((error: unknown) => this.#fail(error));
    });
  }
}

function isTopic(name: string): name is BusTopic {
  return name === "abandoned" || name === "drain";
}
