import { status } from "@grpc/grpc-js";
import { statusOf } from "./error-map.js";
import { service } from "./gen/grpc-health-v1.js";
import { earlyBytes } from "./http2/message-reader.js";
import type { Method } from "./http2/open-http2-server.js";
import type { ServerCall } from "./http2/server-call.js";
import { StatusError } from "./http2/status-error.js";
import type { MethodType } from "./wire-format.js";

type Health = "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";

const { request, response } = service.methods["Check"] as MethodType;

export interface HealthOptions {
  /** False while the server cannot answer calls, for instance without its store. */
  readonly isReady?: (() => Promise<boolean>) | undefined;
  /** How often `isReady` is asked while somebody watches; every 5 s when absent. */
  readonly everyMs?: number | undefined;
}

/** A caller that watches for changes. */
interface Watcher {
  readonly tell: (isServing: boolean) => void;
  readonly end: () => void;
}

/** The standard health service: tells whether the server, or one of its services, takes calls. */
export class HealthService {
  readonly #services: ReadonlySet<string>;
  readonly #watchers = new Set<Watcher>();
  readonly #isReady: () => Promise<boolean>;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(services: readonly string[], { isReady, everyMs = 5000 }: HealthOptions) {
    this.#services = new Set(["", ...services]);
    this.#isReady = async () => (await isReady?.()) ?? true;
    this.#everyMs = everyMs;
  }

  /** The methods of the service, by their paths. */
  methods(): readonly (readonly [path: string, Method])[] {
    const answer =
      (work: (call: ServerCall, isKnown: boolean) => Promise<void>): Method =>
      (call) => {
        call
          .read(earlyBytes, (bytes) => this.#isKnown(bytes))
          .then((isKnown) => work(call, isKnown ?? this.#services.has("")))
          .catch((error: unknown) => call.end(statusOf(error)));
      };
    return [
      [`/${service.name}/Check`, answer((call, isKnown) => this.#check(call, isKnown))],
      [`/${service.name}/Watch`, answer((call, isKnown) => this.#watch(call, isKnown))],
    ];
  }

  /** Tells watchers that no more calls are taken, and ends their streams: they would keep the server open. */
  stop(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
    for (const { tell, end } of this.#watchers) {
      tell(false);
      end();
    }
    this.#watchers.clear();
  }

  /** Answers with the present health. */
  async #check(call: ServerCall, isKnown: boolean): Promise<void> {
    if (!isKnown) throw new StatusError(status.NOT_FOUND, "this server has no such service");
    call.answer(response.frame({ status: healthOf(await this.#isServing()) }));
  }

  /** Sends the present health, and then every change. */
  async #watch(call: ServerCall, isKnown: boolean): Promise<void> {
    let told: Health | undefined;
    const say = (health: Health): void => {
      if (health !== told) call.write(response.frame({ status: health }));
      told = health;
    };
    const tell = (isServing: boolean): void =>
      say(isKnown ? healthOf(isServing) : "SERVICE_UNKNOWN");
    const watcher: Watcher = { tell, end: () => call.end() };
    if (call.cancelled) return;
    this.#watchers.add(watcher);
    if (!this.#isStopping) {
      this.#timer ??= setInterval(() => void this.#tellAll(), this.#everyMs).unref();
    }
    call.onCancel = () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
    tell(isKnown && (await this.#isServing()));
    if (this.#isStopping) watcher.end();
  }

  async #tellAll(): Promise<void> {
    const isServing = await this.#isServing();
    for (const { tell } of this.#watchers) tell(isServing);
  }

  async #isServing(): Promise<boolean> {
    const isReady = await this.#isReady().catch(() => false);
    return isReady && !this.#isStopping;
  }

  /** Whether the service exists that a request names. */
  #isKnown(bytes: Buffer): boolean {
    const { service: name = "" } = request.decode(bytes) as { service?: string };
    return this.#services.has(name);
  }
}

function healthOf(isServing: boolean): Health {
  return isServing ? "SERVING" : "NOT_SERVING";
}
