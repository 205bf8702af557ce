import { taskStates } from "@parley/a2a";
import type { TaskState } from "@parley/a2a";
import type { TaskRecord } from "@parley/a2a/store";
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem, TaskList as TaskPage } from "../../../contract/index.js";
import { formatCount, nameOfState } from "../../../model/index.js";
import { api, onFeed, problemOf } from "../../api/index.js";
import { navigate, route, setQuery } from "../../router/route.js";
import { capabilities } from "../../state/capabilities.js";
import { navigationCounts } from "../../state/navigation-counts.js";
import { recording } from "../../state/recording.js";
import { Button, Choice, EmptyState, ErrorBox, Field, PaneHead, Skeleton } from "../../ui/index.js";
import { followSession, sessionTasks, sessionVersion } from "./session-tasks.js";
import { TaskTable } from "./task-table.js";

/** The tasks of a store, of a recording, or of this session. */
export function TaskList(): ComponentChild {
  if (recording.value !== undefined)
    return <KnownTasks records={recording.value.tasks} where="recording" />;
  return capabilities.value?.canRead === true ? <StoredTasks /> : <SessionTasks />;
}

function SessionTasks(): ComponentChild {
  useEffect(followSession, []);
  void sessionVersion.value;
  return <KnownTasks records={sessionTasks()} where="session" />;
}

function KnownTasks(props: {
  readonly records: readonly TaskRecord[];
  readonly where: "recording" | "session";
}): ComponentChild {
  useEffect(followSession, []);
  void sessionVersion.value;
  const { records, where } = props;
  return (
    <>
      <PaneHead title="Tasks">
        <span class="soft">
          {formatCount(records.length)} in this {where}
        </span>
      </PaneHead>
      <div class="pane-body" data-flush="">
        {records.length > 0 ? (
          <TaskTable records={records} />
        ) : where === "session" ? (
          <EmptyState
            title="No task yet"
            action={<Button onClick={() => navigate(["chat"])}>Go to the chat</Button>}
          >
            Every task that this session begins or watches is listed here, with its whole life.
          </EmptyState>
        ) : (
          <EmptyState title="The recording has no task">
            It may still have hops: open the wire.
          </EmptyState>
        )}
      </div>
    </>
  );
}

const pageSize = 50;

interface Filters {
  readonly agent: string;
  readonly state: TaskState | "";
  readonly context: string;
  readonly owner: string;
  readonly order: "latest" | "oldest";
}

function StoredTasks(): ComponentChild {
  const { query } = route.value;
  const filters: Filters = {
    agent: query.get("agent") ?? "",
    state: taskStates.find((state) => state === query.get("state")) ?? "",
    context: query.get("context") ?? "",
    owner: query.get("owner") ?? "",
    order: query.get("order") === "oldest" ? "oldest" : "latest",
  };
  const key = JSON.stringify(filters);
  const [pages, setPages] = useState<readonly TaskPage[]>();
  const [problem, setProblem] = useState<Problem>();
  const [attempt, setAttempt] = useState(0);
  const load = async (after: string | undefined, signal: AbortSignal): Promise<void> => {
    try {
      const page = await api.get<TaskPage>(`tasks?${searchOf(filters, after)}`, { signal });
      setProblem(undefined);
      setPages((known) => (after === undefined ? [page] : [...(known ?? []), page]));
      if (after === undefined && key === JSON.stringify(noFilters)) {
        const tasks = { value: page.totalSize, tone: "neutral" as const };
        navigationCounts.value = { ...navigationCounts.peek(), tasks };
      }
    } catch (error) {
      if (!signal.aborted) setProblem(problemOf(error));
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => void load(undefined, stop.signal), 120);
    let later: ReturnType<typeof setTimeout> | undefined;
    // A task has changed: the first page is read again, once a second at most.
    const off = onFeed((items) => {
      if (!items.some(({ kind }) => kind === "task" || kind === "gap") || later !== undefined)
        return;
      later = setTimeout(() => {
        later = undefined;
        void load(undefined, stop.signal);
      }, 1000);
    });
    return () => {
      clearTimeout(timer);
      clearTimeout(later);
      off();
      stop.abort();
    };
  }, [key, attempt]);
  const records = (pages ?? []).flatMap(({ tasks }) => tasks);
  const next = pages?.at(-1)?.next;
  const total = pages?.[0]?.totalSize ?? 0;
  const set = (changes: Partial<Filters>): void =>
    setQuery(
      Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [name, value || undefined]),
      ),
    );
  return (
    <>
      <PaneHead title="Tasks">
        <span class="soft">{pages === undefined ? "" : `${formatCount(total)} in the store`}</span>
      </PaneHead>
      <div class="filters">
        <Choice
          label="State"
          value={filters.state}
          options={[
            { key: "", label: "Any state" },
            ...taskStates.slice(1).map((state) => ({ key: state, label: nameOfState(state) })),
          ]}
          onChange={(state) => set({ state })}
        />
        <Choice
          label="Agent"
          value={filters.agent}
          options={[
            { key: "", label: "Any agent" },
            ...(capabilities.value?.agents ?? []).map(({ name }) => ({ key: name, label: name })),
          ]}
          onChange={(agent) => set({ agent })}
        />
        <Field
          label="Context"
          mono
          value={filters.context}
          onInput={(context) => set({ context })}
        />
        <Field label="Owner" value={filters.owner} onInput={(owner) => set({ owner })} />
        <Choice
          label="Order"
          value={filters.order}
          options={[
            { key: "latest", label: "Newest first" },
            { key: "oldest", label: "Oldest first" },
          ]}
          onChange={(order) => set({ order })}
        />
      </div>
      <div class="pane-body" data-flush="">
        {problem === undefined ? null : (
          <ErrorBox problem={problem} onRetry={() => setAttempt(attempt + 1)} />
        )}
        {pages === undefined && problem === undefined ? <Skeleton label="Loading tasks" /> : null}
        {pages !== undefined && records.length === 0 ? (
          key === JSON.stringify(noFilters) ? (
            <EmptyState title="No task yet" command='parley send http://127.0.0.1:4100 "Hello"'>
              The store is empty. Send the agent a message, from the chat or with a command.
            </EmptyState>
          ) : (
            <EmptyState title="No task matches">Take a filter away to see more.</EmptyState>
          )
        ) : null}
        {records.length > 0 ? <TaskTable records={records} /> : null}
        {next === undefined ? null : (
          <div class="more">
            <Button onClick={() => void load(next, new AbortController().signal)}>
              Show {Math.min(pageSize, total - records.length)} more
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

const noFilters: Filters = { agent: "", state: "", context: "", owner: "", order: "latest" };

function searchOf(filters: Filters, after: string | undefined): string {
  const search = new URLSearchParams({ limit: String(pageSize) });
  for (const [name, value] of Object.entries(filters))
    if (value !== "") search.set(name, String(value));
  if (after !== undefined) search.set("after", after);
  return search.toString();
}
