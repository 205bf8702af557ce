import { resolve } from "node:path";
import { callback, checkOptions, fields, text } from "../../options/internal.js";
import type { Rules } from "../../options/internal.js";
import { openBroadcastBus } from "../broadcast/open-broadcast-bus.js";
import type { Bus } from "../bus.js";
import { openFileChannel } from "./file-channel.js";

/** Which file processes of one machine share. */
export interface FileBusOptions {
  /** The file; created if it is not there. Beside a store in `tasks.db` it is `tasks.db-bus` by custom. */
  readonly path: string;
  /** Is told when wake-ups do not arrive, and when they do again: once each, in plain words. Default: prints it. */
  readonly report?: (notice: Error) => void;
}

const rules: Rules<FileBusOptions> = { path: text("the path of a file"), report: callback };
const optionsRule = fields(rules, ["path"], 'an object such as { path: "tasks.db-bus" }');

/**
 * Opens a bus for processes of one machine that share a SQLite file. Each writes a hint into a small file that the others
 * watch: at most every 20 milliseconds, and only while there are others. Where the system does not tell of
 * changes, such as on most network file systems, the bus says so, and nodes poll.
 */
export async function openFileBus(options: FileBusOptions): Promise<Bus> {
  checkOptions("openFileBus()", options, optionsRule);
  const { path, report } = options;
  const place = resolve(path);
  return openBroadcastBus({
    description: `file ${path}`,
    report,
    open: (listener) => openFileChannel(place, listener),
    deafness: "the system does not tell when the file changes",
  });
}
