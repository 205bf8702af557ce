import type { CallContext, ListTasksRequest, ListTasksResponse } from "../../protocol/internal.js";
import type { Store } from "../../store/internal.js";
import type { RuntimeSettings } from "../settings.js";
import { accessOf, isUnknownOwner } from "./access.js";
import type { PageTokens } from "./page-tokens.js";
import { foldStored, withHistory, withoutArtifacts } from "./task-view.js";

const defaultPageSize = 50;

interface Source {
  readonly store: Store;
  readonly agent: string;
  readonly settings: RuntimeSettings;
  readonly pageTokens: PageTokens;
}

/** Lists the tasks that the caller can reach, the latest change of status first. */
export async function listTasks(
  { store, agent, settings, pageTokens }: Source,
  request: ListTasksRequest,
  call: CallContext,
): Promise<ListTasksResponse> {
  const { contextId, status, pageSize = defaultPageSize, pageToken = "", historyLength } = request;
  const { owner, operates } = accessOf(call, settings);
  if (isUnknownOwner(owner, settings)) {
    return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
  }
  const state = status === "TASK_STATE_UNSPECIFIED" ? undefined : status;
  const since = request.statusTimestampAfter;
  const whose = operates ?? { owner };
  const filter = [contextId ?? null, state ?? null, since ?? null];
  const { tenant, subject } = owner;
  const list = JSON.stringify(["tasks", agent, tenant, subject, operates ?? null, ...filter]);
  const [statusAt, taskId] = pageToken === "" ? [] : await pageTokens.decode(pageToken, list);
  const { tasks: found, totalSize } = await store.list({
    ...whose,
    agent,
    ...(contextId !== undefined && { contextId }),
    ...(state !== undefined && { state }),
    ...(since !== undefined && { statusSince: Date.parse(since) }),
    ...(typeof statusAt === "number" &&
      typeof taskId === "string" && { after: { statusAt, taskId } }),
    limit: pageSize + 1,
  });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1)?.record : undefined;
  const tasks = page.map((stored) => {
    const task = withHistory(foldStored(stored), historyLength);
    return request.includeArtifacts === true ? { artifacts: [], ...task } : withoutArtifacts(task);
  });
  const nextPageToken =
    last === undefined ? "" : await pageTokens.encode([last.statusAt, last.taskId], list);
  return { tasks, nextPageToken, pageSize, totalSize };
}
