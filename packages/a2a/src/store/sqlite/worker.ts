/**
 * The thread that opens, reads and writes a database, so that no other thread waits for the disk. Group
 * commit: what has arrived while it was at work is done together, so the busier the store, the more operations share a
 * commit. It replies to reads before it runs the writes that came with them.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { Connection } from "./connection.js";
import { toFailure, toFault } from "./failure.js";
import { openDatabase } from "./file/open-database.js";
import { probeFile } from "./file/probe-file.js";
import type { Probe } from "./file/probe-file.js";
import { takeGroup } from "./group-batches.js";
import type { Batch, FileFault, FromWorker, ToWorker, WorkerData } from "./operations.js";
import { createReadOperations } from "./read-operations.js";
import { runReads, runWrites } from "./run-batch.js";
import { createWriteOperations } from "./writes/write-operations.js";
import { WriteSession } from "./writes/write-session.js";

if (parentPort === null) throw new Error("this module runs only in a worker thread");
const port = parentPort;
const answer = (message: FromWorker): void => port.postMessage(message);

try {
  await serve();
} catch (error) {
  answer({ notOpened: toFailure(error) });
}

async function serve(): Promise<void> {
  const options = workerData as WorkerData;
  const db = await openDatabase(options);
  const session = new WriteSession(db);
  const reads = { ...createReadOperations(db, session.statusCounts) };
  const writes = { ...createWriteOperations(session) };
  const waiting: Batch[] = [];
  const work = (): void => {
    const group = takeGroup(waiting);
    if (group.reads.length > 0) answer(runReads(db, reads, group.reads));
    if (group.writes.length > 0) answer(runWrites(session, writes, group));
    if (waiting.length > 0) setImmediate(work);
  };
  port.on("message", (message: ToWorker) => {
    if (message === "close") {
      closeDatabase(db);
      answer("closed");
      return;
    }
    if ("probe" in message) {
      answer({ probed: findFault(db, options, message.probe) });
      return;
    }
    // Other messages that are there already are told first.
    if (waiting.push(message) === 1) setImmediate(work);
  });
  answer("opened");
}

function findFault(db: Connection, options: WorkerData, probe: Probe): FileFault | undefined {
  try {
    probeFile(db, options, probe);
    return undefined;
  } catch (error) {
    return toFault(error);
  }
}

/** Moves the write-ahead log into the database, without waiting for other processes that use it. */
function closeDatabase(db: Connection): void {
  try {
    db.exec("PRAGMA busy_timeout = 0");
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The next one who opens the file reads the log beside it.
  }
  db.close();
}
