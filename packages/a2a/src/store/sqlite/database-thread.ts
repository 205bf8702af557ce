import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createDeferred } from "../../async/internal.js";
import type { Clock, Deferred } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import { StoreFault } from "../store-fault.js";
import { BatchQueue } from "./batch-queue.js";
import { fromFailure } from "./failure.js";
import { FaultWatch } from "./file/fault-watch.js";
import type { Probe } from "./file/probe-file.js";
import { maxBytes, maxOperations } from "./group-batches.js";
import type {
  Failure,
  FileFault,
  FromWorker,
  ReadOperations,
  ToWorker,
  WorkerData,
  WriteOperations,
} from "./operations.js";

type Request<O> = O extends (request: infer R) => unknown ? R : never;
type Result<O> = O extends (request: never) => infer R ? R : never;

interface ThreadOptions {
  /** Gets what an operator has to know. */
  readonly report: (notice: Error) => void;
  /** Absent: the thread reads the time of the system itself. */
  readonly clock?: Pick<Clock, "now">;
}

/** The approximate size of an operation without its texts. */
const operationBytes = 256;

/** A database in its own thread. Operations are sent to it in batches. */
export class DatabaseThread {
  readonly #worker: Worker;
  readonly #queue: BatchQueue;
  readonly #faults: FaultWatch;
  readonly #path: string;
  readonly #report: (notice: Error) => void;
  #probed: Deferred<FileFault | undefined> | undefined;
  #failures = 0;
  #hasFailed = false;
  #hasEnded = false;
  #closing: Promise<void> | undefined;

  private constructor(worker: Worker, path: string, { report, clock }: ThreadOptions) {
    this.#worker = worker;
    this.#path = path;
    this.#report = report;
    this.#faults = new FaultWatch({ path, report, probe: (probe) => this.#probe(probe) });
    this.#queue = new BatchQueue({
      send: (batch) => this.#post(clock === undefined ? batch : { ...batch, now: clock.now() }),
      toError: (failure, bytes) => this.#toError(failure, bytes),
      maxOperations,
      maxBytes,
      // The thread keeps the process alive only while operations are under way.
      onBusy: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    });
    worker.on("message", (message: FromWorker) => {
      if (typeof message === "object" && "of" in message) this.#queue.settle(message);
      if (typeof message === "object" && "probed" in message) this.#probed?.resolve(message.probed);
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
  static async open(workerData: WorkerData, options: ThreadOptions): Promise<DatabaseThread> {
    const url = new URL("./worker.js", import.meta.url);
    // Does not inherit the flags of the process: some, such as `--input-type`, are about its main module.
    const worker = new Worker(url, { workerData, name: "parley-sqlite", execArgv: [] });
    const ended = once(worker, "exit").then(() => {
      throw new A2AError("UNAVAILABLE", "the thread of the store ended before it was open");
    });
    const opened = once(worker, "message") as Promise<[FromWorker]>;
    const [answer] = await Promise.race([opened, ended]);
    if (typeof answer === "object" && "notOpened" in answer) throw fromFailure(answer.notOpened);
    const thread = new DatabaseThread(worker, workerData.path, options);
    worker.unref();
    return thread;
  }

  /** Why the file cannot be used at present; `undefined` when it can, as far as anybody knows. */
  get problem(): A2AError | undefined {
    return this.#faults.problem;
  }

  /** How many operations have failed because of the file. */
  get failures(): number {
    return this.#failures;
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
    this.#faults.stop();
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

  /** Asks the thread whether the file can be used again. */
  async #probe(probe: Probe): Promise<FileFault | undefined> {
    this.#probed = createDeferred();
    this.#post({ probe });
    return this.#probed.promise;
  }

  #toError(failure: Failure, bytes: number): A2AError {
    const { fault } = failure;
    if (fault === undefined) return fromFailure(failure);
    this.#failures += 1;
    return this.#faults.failed(fault, bytes);
  }

  #fail(what: string, cause?: unknown): void {
    this.#faults.stop();
    if (this.#closing === undefined && !this.#hasFailed) {
      const line = `the thread of the store ${this.#path} ${what}; start the server again`;
      this.#report(new StoreFault(line, { cause }));
    }
    this.#hasFailed = true;
    this.#queue.fail(
      new A2AError("UNAVAILABLE", `the thread of the store ${what}`, {
        ...(cause !== undefined && { cause }),
      }),
    );
  }
}
