import type { CallContext, ListTasksRequest, ListTasksResponse } from "../protocol/index.js";
import type { Store } from "../store/index.js";
import { isUnknownOwner, ownerOf } from "./access.js";
import { decodePageToken, encodePageToken } from "./page-token.js";
import type { RuntimeSettings } from "./settings.js";
import { foldStored, withHistory, withoutArtifacts } from "./task-view.js";

const defaultPageSize = 50;

/** The caller's tasks, the latest change first. */
export async function listTasks(
  from: { readonly store: Store; readonly agent: string; readonly settings: RuntimeSettings },
  request: ListTasksRequest,
  call: CallContext,
): Promise<ListTasksResponse> {
  const { contextId, status, pageSize = defaultPageSize, pageToken = "", historyLength } = request;
  const owner = ownerOf(call);
  if (isUnknownOwner(owner, from.settings)) {
    return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
  }
  const state = status === "TASK_STATE_UNSPECIFIED" ? undefined : status;
  const since = request.statusTimestampAfter;
  const list = JSON.stringify([owner, contextId ?? null, state ?? null, since ?? null]);
  const { tasks: found, totalSize } = await from.store.list({
    owner,
    agent: from.agent,
    ...(contextId !== undefined && { contextId }),
    ...(state !== undefined && { state }),
    ...(since !== undefined && { statusSince: Date.parse(since) }),
    ...(pageToken !== "" && { after: decodePageToken(pageToken, list) }),
    limit: pageSize + 1,
  });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1)?.record : undefined;
  const tasks = page.map((stored) => {
    const task = withHistory(foldStored(stored), historyLength);
    return request.includeArtifacts === true ? { artifacts: [], ...task } : withoutArtifacts(task);
  });
  const nextPageToken = last === undefined ? "" : encodePageToken(last, list);
  return { tasks, nextPageToken, pageSize, totalSize };
}
