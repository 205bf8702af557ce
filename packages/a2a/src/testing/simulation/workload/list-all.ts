import type { CallContext } from "../../../protocol/internal.js";
import type { Owner } from "../engine/scheduler.js";
import type { Network } from "./network.js";

/** After this many tasks a caller has seen enough. */
const most = 100;

/** Lists the tasks of a caller, page by page, until a page is not answered. */
export async function listAll(
  network: Network,
  caller: Owner,
  contextOf: (signal: AbortSignal) => CallContext,
): Promise<void> {
  let seen = 0;
  for (let pageToken = ""; ;) {
    const page = await network.call(caller, `${caller.name}/list`, (runtime, signal) =>
      runtime.listTasks({ pageSize: 2, ...(pageToken !== "" && { pageToken }) }, contextOf(signal)),
    );
    if (page.outcome !== "answered") return;
    seen += page.value.tasks.length;
    pageToken = page.value.nextPageToken;
    if (pageToken === "" || seen > most) return;
  }
}
