import { Metadata, status } from "@grpc/grpc-js";
import type { Server, ServerUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import { service } from "./gen/grpc-health-v1.js";
import { serviceDefinition } from "./service-definition.js";
import { WireFormatError } from "./wire-format.js";
import type { MethodType } from "./wire-format.js";

type Health = "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";

const { request, response } = service.methods["Check"] as MethodType;

/** The standard health service: whether the server, or one service of it, takes calls. */
export class HealthService {
  readonly #services: ReadonlySet<string>;
  readonly #watchers = new Set<() => void>();
  readonly #isReady: () => Promise<boolean>;
  #isServing = true;

  constructor(services: readonly string[], isReady?: () => Promise<boolean>) {
    this.#services = new Set(["", ...services]);
    this.#isReady = async () => (await isReady?.()) ?? true;
  }

  register(server: Server): void {
    server.addService(serviceDefinition(service), {
      Check: (call: ServerUnaryCall<Buffer, Buffer>, callback: CheckCallback) => {
        void this.#check(call.request, callback);
      },
      Watch: (call: ServerWritableStream<Buffer, Buffer>) => {
        const tell = (): void => {
          const health = this.#healthOf(call.request);
          if (health === undefined) call.emit("error", malformed());
          else call.write(response.encode({ status: health }));
        };
        this.#watchers.add(tell);
        call.once("cancelled", () => this.#watchers.delete(tell));
        tell();
      },
    });
  }

  /** Says that no more calls are taken. */
  stop(): void {
    this.#isServing = false;
    for (const tell of this.#watchers) tell();
  }

  /** Who asks is told of the moment; who watches, when the server stops. */
  async #check(bytes: Buffer, callback: CheckCallback): Promise<void> {
    const health = this.#healthOf(bytes);
    if (health === undefined) callback(malformed());
    else if (health === "SERVICE_UNKNOWN") callback(unknown());
    else {
      const isServing = health === "SERVING" && (await this.#isReady().catch(() => false));
      callback(null, response.encode({ status: isServing ? "SERVING" : "NOT_SERVING" }));
    }
  }

  #healthOf(bytes: Buffer): Health | undefined {
    try {
      const { service: name = "" } = request.decode(bytes) as { service?: string };
      if (!this.#services.has(name)) return "SERVICE_UNKNOWN";
      return this.#isServing ? "SERVING" : "NOT_SERVING";
    } catch (error) {
      if (error instanceof WireFormatError) return undefined;
      throw error;
    }
  }
}

type CheckCallback = (
  error: { code: status; details: string; metadata: Metadata } | null,
  value?: Buffer,
) => void;

function unknown(): { code: status; details: string; metadata: Metadata } {
  const details = "there is no such service";
  return { code: status.NOT_FOUND, details, metadata: new Metadata() };
}

function malformed(): { code: status; details: string; metadata: Metadata } {
  const details = "expected a grpc.health.v1.HealthCheckRequest";
  return { code: status.INVALID_ARGUMENT, details, metadata: new Metadata() };
}
