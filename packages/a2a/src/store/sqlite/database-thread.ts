import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { A2AError } from "../../protocol/internal.js";
import { BatchQueue } from "./batch-queue.js";
import { fromFailure } from "./failure.js";
import type {
  FromWorker,
  ReadOperations,
  ToWorker,
  WorkerData,
  WriteOperations,
} from "./operations.js";

type Request<O> = O extends (request: infer R) => unknown ? R : never;
type Result<O> = O extends (request: never) => infer R ? R : never;

/** About what an operation weighs besides the texts it carries. */
const operationBytes = 256;

/** A database in a thread of its own, to which everything goes in batches. */
export class DatabaseThread {
  readonly #worker: Worker;
  readonly #queue: BatchQueue;
  #closing: Promise<void> | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#queue = new BatchQueue({
      send: (batch) => this.#post(batch),
      maxOperations: 256,
      maxBytes: 1024 * 1024,
      // The thread keeps the process alive only while something is under way.
      onBusy: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    });
    worker.on("message", (message: FromWorker) => {
      if (typeof message === "object" && "of" in message) this.#queue.settle(message);
    });
    worker.on("error", (cause: unknown) => this.#fail("broke down", cause));
    worker.on("exit", () => this.#fail("has ended"));
  }

  /** Resolves once the database is open, and throws an `A2AError` when it cannot be opened. */
  static async open(workerData: WorkerData): Promise<DatabaseThread> {
    const url = new URL("./worker.js", import.meta.url);
    // Flags of the process are about its own main module, such as the type of a script on the command line.
    const worker = new Worker(url, { workerData, name: "parley-sqlite", execArgv: [] });
    const ended = once(worker, "exit").then(() => {
      throw new A2AError("UNAVAILABLE", "the thread of the store ended before it was open");
    });
    const opened = once(worker, "message") as Promise<[FromWorker]>;
    const [answer] = await Promise.race([opened, ended]);
    if (typeof answer === "object" && "notOpened" in answer) throw fromFailure(answer.notOpened);
    const thread = new DatabaseThread(worker);
    worker.unref();
    return thread;
  }

  read<N extends keyof ReadOperations>(
    name: N,
    request: Request<ReadOperations[N]>,
  ): Promise<Result<ReadOperations[N]>> {
    const result = this.#queue.add({ name, request }, true, operationBytes);
    return result as Promise<Result<ReadOperations[N]>>;
  }

  /** `textBytes` is about what the texts in the request weigh. */
  write<N extends keyof WriteOperations>(
    name: N,
    request: Request<WriteOperations[N]>,
    textBytes = 0,
  ): Promise<Result<WriteOperations[N]>> {
    const result = this.#queue.add({ name, request }, false, operationBytes + textBytes);
    return result as Promise<Result<WriteOperations[N]>>;
  }

  /** Refuses new operations, finishes those under way, closes the database and ends the thread. */
  async close(): Promise<void> {
    await (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const drained = this.#queue.drain();
    this.#queue.seal(new A2AError("UNAVAILABLE", "the store is closed"));
    await drained;
    if (this.#worker.threadId === -1) return;
    this.#worker.ref();
    const exited = once(this.#worker, "exit");
    this.#post("close");
    await exited;
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #fail(what: string, cause?: unknown): void {
    this.#queue.fail(
      new A2AError("UNAVAILABLE", `the thread of the store ${what}`, {
        ...(cause !== undefined && { cause }),
      }),
    );
  }
}
