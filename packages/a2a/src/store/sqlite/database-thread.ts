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

/** The approximate size of an operation without its texts. */
const operationBytes = 256;

/** A database in its own thread. Operations are sent to it in batches. */
export class DatabaseThread {
  readonly #worker: Worker;
  readonly #queue: BatchQueue;
  #hasEnded = false;
  #closing: Promise<void> | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#queue = new BatchQueue({
      send: (batch) => this.#post(batch),
      maxOperations: 256,
      maxBytes: 1024 * 1024,
      // The thread keeps the process alive only while operations are under way.
      onBusy: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    });
    worker.on("message", (message: FromWorker) => {
      if (typeof message === "object" && "of" in message) this.#queue.settle(message);
      // The thread cannot end itself everywhere: Deno's parent port has no `close`, that of older Buns does nothing.
      if (message === "closed") void worker.terminate();
    });
    worker.on("error", (cause: unknown) => this.#fail("failed", cause));
    worker.on("exit", () => {
      this.#hasEnded = true;
      this.#fail("has ended");
    });
  }

  /** Resolves when the database is open. Rejects with an `A2AError` when it cannot be opened. */
  static async open(workerData: WorkerData): Promise<DatabaseThread> {
    const url = new URL("./worker.js", import.meta.url);
    // Does not inherit the flags of the process: some, such as `--input-type`, are about its main module.
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

  /** `textBytes` is the approximate size of the texts in the request. */
  write<N extends keyof WriteOperations>(
    name: N,
    request: Request<WriteOperations[N]>,
    textBytes = 0,
  ): Promise<Result<WriteOperations[N]>> {
    const result = this.#queue.add({ name, request }, false, operationBytes + textBytes);
    return result as Promise<Result<WriteOperations[N]>>;
  }

  /** Refuses new operations, finishes the others, closes the database and ends the thread. */
  async close(): Promise<void> {
    await (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const drained = this.#queue.drain();
    this.#queue.seal(new A2AError("UNAVAILABLE", "the store is closed"));
    await drained;
    if (this.#hasEnded) return;
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
