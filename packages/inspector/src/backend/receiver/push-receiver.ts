import { randomBytes } from "node:crypto";
import { createPushVerifier } from "@parley/a2a/client/push";
import type { Fetch } from "@parley/a2a/client";
import type { PushVerifier } from "@parley/a2a/client/push";
import type { Delivery, Receiver, ReceiverBehaviour } from "../../contract/index.js";
import { forward, openWebhook } from "../../receive/index.js";
import type { Delivered, Webhook } from "../../receive/index.js";
import { createRedactor } from "../../record/index.js";
import type { Feed } from "../record/feed.js";
import { checkDelivery } from "./check-delivery.js";
import { DeliveryOrder } from "./delivery-order.js";

export interface PushReceiverOptions {
  readonly host: string;
  readonly port: number;
  readonly feed: Feed;
  /** The agent whose keys check signatures, if one is known. */
  readonly agent: () => string | undefined;
  /** What fetches those keys. */
  readonly fetch: Fetch;
  /** Whether deliveries may be passed on to other addresses. */
  readonly canForward: boolean;
}

/** What a person has set. */
export interface ReceiverSettings {
  readonly behaviour?: ReceiverBehaviour | undefined;
  readonly forwardTo?: string | undefined;
  readonly token?: string | undefined;
  readonly agent?: string | undefined;
  readonly publicUrl?: string | undefined;
}

/** How many deliveries are kept, how much of each, and how many signatures are remembered. */
const maxDeliveries = 1000;
const maxKeptBody = 1024 * 1024;
const maxSignatures = 10_000;

/** How long a delivery hangs at most, and how many may hang. */
const hangMs = 60_000;
const maxHanging = 32;

/** Receives push notifications, checks them, and answers as it is told. */
export class PushReceiver {
  readonly #options: PushReceiverOptions;
  readonly #path = `/hook/${randomBytes(24).toString("base64url")}`;
  readonly #deliveries: Delivery[] = [];
  readonly #order = new DeliveryOrder();
  readonly #signatures = new Set<string>();
  #settings: ReceiverSettings = {};
  #webhook: Webhook | undefined;
  #verifier: { readonly of: string; readonly it: PushVerifier } | undefined;
  #last = 0;
  #hanging = 0;

  constructor(options: PushReceiverOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { host, port } = this.#options;
    this.#webhook = await openWebhook({ host, port, path: this.#path }, (one) =>
      this.#receive(one),
    );
  }

  async close(): Promise<void> {
    await this.#webhook?.[Symbol.asyncDispose]();
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  view(): Receiver {
    const { behaviour = 200, forwardTo, token } = this.#settings;
    return {
      url: this.#url,
      behaviour,
      hasToken: token !== undefined,
      canForward: this.#options.canForward,
      ...(forwardTo !== undefined && { forwardTo }),
      notes: [
        "Parley agents refuse webhooks on this machine: start them with --push-allow-private.",
        "An agent on another machine reaches this receiver only through a tunnel: set the public URL of the tunnel here. The port of the receiver serves nothing else.",
      ],
    };
  }

  set(settings: ReceiverSettings): void {
    const given = Object.fromEntries(
      Object.entries(settings).filter(([, value]) => value !== undefined),
    );
    const merged: ReceiverSettings = { ...this.#settings, ...given };
    const empty = Object.entries(merged).filter(([, value]) => value !== "");
    this.#settings = Object.fromEntries(empty);
  }

  get #url(): string {
    const { publicUrl } = this.#settings;
    return publicUrl === undefined
      ? (this.#webhook?.url ?? "")
      : `${publicUrl.replace(/\/+$/, "")}${this.#path}`;
  }

  async #receive(delivered: Delivered): Promise<number> {
    const { behaviour = 200, forwardTo, token } = this.#settings;
    const { isVerified, checks, sequence } = await checkDelivery(delivered, {
      url: this.#url,
      token,
      verifier: this.#findVerifier(),
      isReplay: (id) => this.#isReplay(id),
      now: Date.now(),
    });
    const taskId = taskIdIn(delivered.body);
    const order = this.#order.place(taskId, sequence);
    const canForward = forwardTo !== undefined && this.#options.canForward;
    const forwarded = canForward ? await forward(forwardTo, delivered) : undefined;
    const redactor = createRedactor(token === undefined ? [] : [token]);
    const delivery: Delivery = {
      id: (this.#last += 1),
      at: Date.now(),
      headers: Object.entries(delivered.headers).map(
        ([name, value]) => [name, redactor.header(name, value)] as const,
      ),
      body: redactor.text(delivered.body.slice(0, maxKeptBody)),
      answered: behaviour === "hang" ? "hung" : behaviour,
      isVerified,
      checks,
      ...(taskId !== undefined && { taskId }),
      ...(sequence !== undefined && { sequence }),
      ...(order !== undefined && { order }),
      ...(forwarded && {
        forwarded: {
          ...(forwarded.status !== undefined && { status: forwarded.status }),
          ...(forwarded.failure !== undefined && { error: forwarded.failure }),
        },
      }),
    };
    this.#deliveries.push(delivery);
    if (this.#deliveries.length > maxDeliveries) this.#deliveries.shift();
    this.#options.feed.add({ kind: "delivery", delivery }, delivery.body.length + 1000);
    return behaviour === "hang" ? this.#hang() : behaviour;
  }

  async #hang(): Promise<number> {
    if (this.#hanging >= maxHanging) return 503;
    this.#hanging += 1;
    await new Promise<void>((resolve) => setTimeout(resolve, hangMs).unref());
    this.#hanging -= 1;
    return 504;
  }

  #findVerifier(): PushVerifier | undefined {
    const agent = this.#settings.agent ?? this.#options.agent();
    if (agent === undefined) return undefined;
    const of = `${agent} ${this.#url}`;
    if (this.#verifier?.of !== of) {
      const fetch = this.#options.fetch as typeof globalThis.fetch;
      this.#verifier = { of, it: createPushVerifier({ agent, url: this.#url, fetch }) };
    }
    return this.#verifier.it;
  }

  #isReplay(id: string): boolean {
    if (this.#signatures.has(id)) return true;
    const [oldest] = this.#signatures;
    if (this.#signatures.size >= maxSignatures && oldest !== undefined)
      this.#signatures.delete(oldest);
    this.#signatures.add(id);
    return false;
  }
}

/** The task that a notification is about: of 1.0 by its name, of earlier versions the task itself. */
function taskIdIn(body: string): string | undefined {
  try {
    const json = JSON.parse(body) as Readonly<
      Record<string, { id?: unknown; taskId?: unknown }>
    > & {
      readonly id?: unknown;
    };
    const { task, statusUpdate, artifactUpdate, message } = json;
    const id = task?.id ?? (statusUpdate ?? artifactUpdate ?? message)?.taskId ?? json.id;
    return typeof id === "string" && id.length <= 200 ? id : undefined;
  } catch {
    return undefined;
  }
}
