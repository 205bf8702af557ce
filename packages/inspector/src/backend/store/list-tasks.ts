import { taskStates } from "@parley/a2a";
import type { TaskState } from "@parley/a2a";
import type { ListTasksQuery, TaskRecord } from "@parley/a2a/store";
import type { LogPage, TaskList } from "../../contract/index.js";
import { queryCount } from "../http/read-json.js";
import { badField, notThere } from "../http/refusal.js";
import { agentNames } from "./task-source.js";
import type { TaskSource } from "./task-source.js";

const maxPage = 500;
const maxLogPage = 2000;
const maxLogBytes = 8 * 1024 * 1024;

type Place = NonNullable<ListTasksQuery["after"]>;

/**
 * Lists tasks of several agents and states. Each list has the same order and the same place in it, so that
 * their pages merge into one.
 */
export async function listTasks(source: TaskSource, query: URLSearchParams): Promise<TaskList> {
  const limit = Math.max(1, queryCount(query, "limit", maxPage) ?? 100);
  const agent = query.get("agent");
  const agents = agent === null ? await agentNames(source) : [agent];
  const states = parseStates(query.get("state"));
  const owner = query.get("owner");
  const contextId = query.get("context");
  const after = parsePlace(query.get("after"));
  const order = query.get("order") ?? "latest";
  if (order !== "latest" && order !== "oldest") throw badField("order", "is latest or oldest");
  const common = {
    limit: limit + 1,
    order,
    omits: ["artifacts", "history"],
    maxBytes: maxLogBytes,
    ...(owner !== null && { owner: { tenant: query.get("tenant") ?? "", subject: owner } }),
    ...(contextId !== null && { contextId }),
    ...(after !== undefined && { after }),
  } as const;
  const queries: readonly ListTasksQuery[] = agents.flatMap((name) =>
    states === undefined
      ? [{ ...common, agent: name }]
      : states.map((state) => ({ ...common, agent: name, state })),
  );
  const pages = await Promise.all(queries.map((one) => source.store.list(one)));
  const all = pages.flatMap(({ tasks }) => tasks.map(({ record }) => record));
  all.sort(order === "oldest" ? (a, b) => latestFirst(b, a) : latestFirst);
  const tasks = all.slice(0, limit);
  const last = tasks.at(-1);
  const hasMore = all.length > limit || pages.some(({ isCut }) => isCut === true);
  return {
    tasks,
    totalSize: pages.reduce((sum, { totalSize }) => sum + totalSize, 0),
    ...(hasMore && last !== undefined && { next: placeText(last) }),
  };
}

/** A page of the log of a task. */
export async function readLogPage(
  { store }: TaskSource,
  taskId: string,
  query: URLSearchParams,
): Promise<LogPage> {
  const record = await findRecord(store, taskId);
  const after = queryCount(query, "after", Number.MAX_SAFE_INTEGER) ?? 0;
  const limit = Math.max(1, queryCount(query, "limit", maxLogPage) ?? maxLogPage);
  const entries = await store.read(taskId, after, limit, maxLogBytes);
  const last = entries.at(-1)?.sequence ?? after;
  return { record, entries, hasMore: last < record.sequence };
}

export async function findRecord(
  store: Pick<TaskSource["store"], "loadRecord">,
  taskId: string,
): Promise<TaskRecord> {
  const record = taskId.isWellFormed() ? await store.loadRecord(taskId) : undefined;
  if (record === undefined) throw notThere(`task ${taskId} in the store`);
  return record;
}

function latestFirst(a: TaskRecord, b: TaskRecord): number {
  return b.statusAt - a.statusAt || (a.taskId < b.taskId ? 1 : -1);
}

function parseStates(text: string | null): readonly TaskState[] | undefined {
  if (text === null || text === "") return undefined;
  const states = text.split(",");
  const isState = (one: string): one is TaskState =>
    (taskStates as readonly string[]).includes(one);
  if (states.every(isState)) return [...new Set(states)];
  throw badField("state", `has to be one or several of ${taskStates.join(", ")}`);
}

function placeText({ statusAt, taskId }: TaskRecord): string {
  return Buffer.from(JSON.stringify([statusAt, taskId])).toString("base64url");
}

function parsePlace(text: string | null): Place | undefined {
  if (text === null || text === "") return undefined;
  try {
    const [statusAt, taskId] = JSON.parse(Buffer.from(text, "base64url").toString()) as unknown[];
    if (typeof statusAt === "number" && typeof taskId === "string") return { statusAt, taskId };
  } catch {
    // Refused below.
  }
  throw badField("after", "is not the `next` of a page before");
}
