import type { ListTasksRequest, ListTasksResponse } from "@parley/a2a";
import type { Outcome } from "../../probe/session.js";
import { expectThat, fail, overHttp, pass, skip } from "../check.js";
import type { ConformanceCheck, Observation } from "../check.js";
import { told } from "../subject.js";
import type { Subject } from "../subject.js";
import { asList, payloadOf } from "../wire-json.js";

/** A check of a page of the tasks that the tool has begun in a context of its own. */
function ofList(
  id: ConformanceCheck["id"],
  request: ListTasksRequest | ((subject: Subject) => Promise<ListTasksRequest | undefined>),
  judge: (
    page: ListTasksResponse,
    outcome: Outcome<ListTasksResponse>,
    subject: Subject,
  ) => Observation | Promise<Observation>,
  more: Partial<ConformanceCheck> = {},
): ConformanceCheck {
  return {
    ...more,
    id,
    async run(subject) {
      const contextId = await ownContext(subject);
      const asked = typeof request === "function" ? await request(subject) : request;
      if (asked === undefined || contextId === undefined) {
        return skip("the agent answered without a task");
      }
      const outcome = await list(subject, { ...asked, contextId });
      return outcome.result === undefined
        ? fail(told(outcome))
        : judge(outcome.result, outcome, subject);
    },
  };
}

function list(subject: Subject, request: ListTasksRequest): Promise<Outcome<ListTasksResponse>> {
  return subject.once(`list ${JSON.stringify(request)}`, () =>
    subject.session.call("listTasks", request),
  );
}

/** The context of two tasks that the tool has begun; others may have begun any number of tasks elsewhere. */
function ownContext(subject: Subject): Promise<string | undefined> {
  return subject.once("context", async () => {
    const contextId = (await subject.sent()).result?.task?.contextId;
    if (contextId !== undefined) {
      await subject.send(subject.options.message, { message: { contextId } });
    }
    return contextId;
  });
}

/** A check that a page of a size that is out of range is refused. */
function refusedSize(pageSize: number): (subject: Subject) => Promise<Observation> {
  return async (subject) => {
    const outcome = await list(subject, { pageSize });
    return expectThat(outcome.error !== undefined, `pageSize ${pageSize}: ${told(outcome)}`);
  };
}

const needed = ["tasks", "nextPageToken", "pageSize", "totalSize"];

/** Requirements on lists of tasks (§3.1.4), which are of 1.0. */
export const listChecks: readonly ConformanceCheck[] = [
  ofList(
    "list:response-fields",
    {},
    (_, { exchange }) => {
      const lacking = needed.filter((name) => !(name in payloadOf(exchange)));
      return expectThat(
        lacking.length === 0,
        lacking.length === 0 ? "all are there" : `it lacks ${lacking.join(", ")}`,
      );
    },
    { bindings: overHttp },
  ),
  ofList(
    "list:next-page-token-present",
    {},
    (_, { exchange }) => {
      const token = payloadOf(exchange)["nextPageToken"];
      return expectThat(
        typeof token === "string",
        token === undefined ? "there is none" : `it is ${JSON.stringify(token)}`.slice(0, 80),
      );
    },
    { bindings: overHttp },
  ),
  ofList("list:default-page-size", {}, ({ tasks }) =>
    expectThat(tasks.length <= 50, `${tasks.length} tasks`),
  ),
  ofList("list:page-size-limit", { pageSize: 1 }, ({ tasks }) =>
    expectThat(tasks.length <= 1, `${tasks.length} tasks for pageSize 1`),
  ),
  {
    id: "list:page-size-range",
    async run(subject) {
      const low = await refusedSize(-1)(subject);
      return low.status === "pass" ? refusedSize(101)(subject) : low;
    },
  },
  ofList("list:filter-context", {}, async ({ tasks }, _, subject) => {
    const wanted = await ownContext(subject);
    const odd = tasks.find(({ contextId }) => contextId !== wanted);
    if (odd !== undefined) return fail(`a task of the context ${odd.contextId} among them`);
    return expectThat(tasks.length > 0, `${tasks.length} tasks of the context`);
  }),
  ofList("list:filter-status", stateFilter, async ({ tasks }, _, subject) => {
    const wanted = (await stateFilter(subject))?.status;
    const odd = tasks.find(({ status }) => status.state !== wanted);
    return expectThat(
      odd === undefined,
      odd === undefined ? `${tasks.length} tasks` : `one is ${odd.status.state}`,
    );
  }),
  ofList("list:order", {}, ({ tasks }) => {
    const times = tasks.map(({ status }) => Date.parse(status.timestamp ?? ""));
    if (times.some(Number.isNaN)) return skip("a status has no timestamp");
    const isOrdered = times.every(
      (time, index) => index === 0 || time <= (times[index - 1] ?? time),
    );
    return expectThat(
      isOrdered,
      isOrdered ? `${times.length} tasks, newest first` : "not newest first",
    );
  }),
  ofList(
    "list:omit-artifacts",
    {},
    (_, { exchange }) => {
      const odd = asList(payloadOf(exchange)["tasks"]).find((task) => "artifacts" in task);
      return expectThat(odd === undefined, odd === undefined ? "left out" : "a task has artifacts");
    },
    { bindings: overHttp },
  ),
  ofList(
    "list:include-artifacts",
    { includeArtifacts: true },
    (_, { exchange }) => {
      const tasks = asList(payloadOf(exchange)["tasks"]);
      if (tasks.length === 0) return skip("there are no tasks");
      const odd = tasks.find((task) => !("artifacts" in task));
      return expectThat(odd === undefined, odd === undefined ? "all have them" : "a task has none");
    },
    { bindings: overHttp },
  ),
  ofList("list:history-length", { historyLength: 1 }, ({ tasks }) => {
    const odd = tasks.find(({ history = [] }) => history.length > 1);
    return expectThat(
      odd === undefined,
      odd === undefined ? "at most one message each" : "a task has more",
    );
  }),
  ofList("list:cursor-pagination", { pageSize: 1 }, async (page, _, subject) => {
    if (page.nextPageToken === "") return skip("there are not enough tasks");
    const contextId = (await ownContext(subject)) ?? "";
    const request = { pageSize: 1, pageToken: page.nextPageToken, contextId };
    const next = await list(subject, request);
    if (next.result === undefined) return fail(told(next));
    const isOther = next.result.tasks[0]?.id !== page.tasks[0]?.id;
    return expectThat(
      isOther,
      isOther ? "the next page has another task" : "the next page has the same task",
    );
  }),
  ofList("list:total-size", {}, ({ tasks, totalSize }) =>
    expectThat(totalSize >= tasks.length, `totalSize ${totalSize}, ${tasks.length} on the page`),
  ),
  ofList("list:last-page", { pageSize: 100 }, ({ nextPageToken, totalSize, tasks }) => {
    if (totalSize > tasks.length) return skip("there are more tasks than a page holds");
    return nextPageToken === ""
      ? pass("empty")
      : fail(`it is ${JSON.stringify(nextPageToken)}`.slice(0, 80));
  }),
];

async function stateFilter(subject: Subject): Promise<ListTasksRequest | undefined> {
  const task = await subject.ended();
  return task && { status: task.status.state };
}
