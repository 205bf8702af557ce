import { Metadata, status } from "@grpc/grpc-js";
import type { Server, ServerUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import { service } from "./gen/grpc-health-v1.js";
import { serviceDefinition } from "./service-definition.js";
import { WireFormatError } from "./wire-format.js";
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

  register(server: Server): void {
    server.addService(serviceDefinition(service), {
      Check: (call: ServerUnaryCall<Buffer, Buffer>, callback: CheckCallback) => {
        void this.#check(call.request, callback);
      },
      Watch: (call: ServerWritableStream<Buffer, Buffer>) => this.#watch(call),
    });
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
  async #check(bytes: Buffer, callback: CheckCallback): Promise<void> {
    const isKnown = this.#isKnown(bytes);
    if (isKnown === undefined) callback(malformed());
    else if (!isKnown) callback(unknown());
    else callback(null, response.encode({ status: healthOf(await this.#isServing()) }));
  }

  /** Sends the present health, and then every change. */
  #watch(call: ServerWritableStream<Buffer, Buffer>): void {
    const isKnown = this.#isKnown(call.request);
    if (isKnown === undefined) {
      call.emit("error", malformed());
      return;
    }
    let told: Health | undefined;
    const say = (health: Health): void => {
      if (health !== told) call.write(response.encode({ status: health }));
      told = health;
    };
    const tell = (isServing: boolean): void =>
      say(isKnown ? healthOf(isServing) : "SERVICE_UNKNOWN");
    const watcher: Watcher = { tell, end: () => call.end() };
    this.#watchers.add(watcher);
    if (!this.#isStopping) {
      this.#timer ??= setInterval(() => void this.#tellAll(), this.#everyMs).unref();
    }
    call.once("cancelled", () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    void (isKnown ? this.#isServing() : Promise.resolve(false)).then((isServing) => {
      tell(isServing);
      if (this.#isStopping) watcher.end();
    });
  }

  async #tellAll(): Promise<void> {
    const isServing = await this.#isServing();
    for (const { tell } of this.#watchers) tell(isServing);
  }

  async #isServing(): Promise<boolean> {
    const isReady = await this.#isReady().catch(() => false);
    return isReady && !this.#isStopping;
  }

  /** Whether the service exists that a request names; undefined if the request cannot be read. */
  #isKnown(bytes: Buffer): boolean | undefined {
    try {
      const { service: name = "" } = request.decode(bytes) as { service?: string };
      return this.#services.has(name);
    } catch (error) {
      if (error instanceof WireFormatError) return undefined;
      throw error;
    }
  }
}

function healthOf(isServing: boolean): Health {
  return isServing ? "SERVING" : "NOT_SERVING";
}

type CheckCallback = (
  error: { code: status; details: string; metadata: Metadata } | null,
  value?: Buffer,
) => void;

function unknown(): { code: status; details: string; metadata: Metadata } {
  const details = "this server has no such service";
  return { code: status.NOT_FOUND, details, metadata: new Metadata() };
}

function malformed(): { code: status; details: string; metadata: Metadata } {
  const details = "expected a grpc.health.v1.HealthCheckRequest";
  return { code: status.INVALID_ARGUMENT, details, metadata: new Metadata() };
}
