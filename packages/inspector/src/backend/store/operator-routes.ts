import { A2AError } from "@parley/a2a";
import type { BuriedDelivery, DeliveryKey } from "@parley/a2a/store";
import type { DeadLetters } from "../../contract/index.js";
import { isObject, queryCount, readJson, textOf } from "../http/read-json.js";
import type { JsonBody } from "../http/read-json.js";
import { badField, notThere, Refusal } from "../http/refusal.js";
import type { Routes } from "../http/router.js";
import { findRelatives } from "./find-relatives.js";
import { findRecord, listTasks, readLogPage } from "./list-tasks.js";
import { OverviewReader } from "./overview.js";
import type { StuckTerms } from "./find-stuck.js";
import { agentNames, serviceOf } from "./task-source.js";
import type { TaskSource } from "./task-source.js";

const maxBodyBytes = 64 * 1024;
const maxPage = 500;

/** The routes of an operator: tasks and their logs, what is stuck, dead letters, nodes. */
export function operatorRoutes(source: TaskSource, terms?: Partial<StuckTerms>): Routes {
  const { store, server } = source;
  const overview = new OverviewReader(source, terms);
  /** Writes are recorded where the server keeps an audit log. */
  const audit = (subject: string, reason: string, taskId?: string): void =>
    server?.audit?.record({
      at: new Date().toISOString(),
      decision: "authorization",
      outcome: "allowed",
      subject,
      reason: taskId === undefined ? reason : `${reason} ${taskId}`,
    });
  return {
    "GET tasks": async ({ query }) => listTasks(source, query),
    "GET tasks/:t": async ({ path }) => ({ record: await findRecord(store, path["t"] ?? "") }),
    "GET tasks/:t/log": async ({ path, query }) => readLogPage(source, path["t"] ?? "", query),
    "GET tasks/:t/relatives": async ({ path }) => ({
      tasks: await findRelatives(source, path["t"] ?? ""),
    }),
    "POST tasks/:t/cancel": async ({ path, subject }) => {
      const { taskId, agent } = await findRecord(store, path["t"] ?? "");
      const service = serviceOf(source, agent);
      if (service === undefined) {
        throw new Refusal(409, "UNSUPPORTED_OPERATION", `no server of ${agent} runs here`, {
          hint: "Open the inspector beside the server that works on the task.",
        });
      }
      audit(subject, "the inspector cancels task", taskId);
      const scopes = [server?.operatorScope ?? ""];
      const call = { version: "1.0", principal: { subject, scopes } } as const;
      const task = await service.cancelTask({ id: taskId }, call);
      return { state: task.status.state };
    },
    "GET overview": async () => overview.read(),
    "GET dead": async ({ query }) => listDead(source, query),
    "POST dead/:action": async ({ path, request, subject }) => {
      const action = path["action"];
      if (action !== "revive" && action !== "discard") throw notThere("route of this name");
      const body = await readJson(request, maxBodyBytes);
      const agent = textOf(body, "agent");
      const keys = body["delivery"] === undefined ? undefined : [parseKey(body["delivery"])];
      audit(
        subject,
        `the inspector ${action}s ${keys === undefined ? "all dead letters" : "a dead letter"} of ${agent}`,
        keys?.[0]?.taskId,
      );
      return { count: await settle(source, agent, action, keys) };
    },
    "POST nodes/:n/release": async ({ path, subject }) => {
      const node = path["n"] ?? "";
      const isThere = (await store.listNodes()).some((one) => one.node === node);
      if (!isThere) throw notThere(`node ${node}`);
      audit(subject, `the inspector ends the lease of node ${node}`);
      await store.releaseNode(node);
      return { released: true };
    },
  };
}

async function listDead(source: TaskSource, query: URLSearchParams): Promise<DeadLetters> {
  const limit = Math.max(1, queryCount(query, "limit", maxPage) ?? 100);
  const asked = query.get("agent");
  const agents = asked === null ? await agentNames(source) : [asked];
  const start = parseNext(query.get("after"));
  const from = start === undefined ? 0 : Math.max(0, agents.indexOf(start.agent));
  const deliveries: (BuriedDelivery & { readonly agent: string })[] = [];
  for (const agent of agents.slice(from)) {
    const after = start?.agent === agent ? { after: start.key } : {};
    const left = limit + 1 - deliveries.length;
    if (left <= 0) break;
    const page = await source.store.listBuried({ agent, limit: left, ...after });
    deliveries.push(...page.map((one) => ({ ...one, agent })));
  }
  const shown = deliveries.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = deliveries.length > limit && last !== undefined;
  return { deliveries: shown, ...(hasMore && { next: nextText(last) }) };
}

/** Brings dead letters back, or deletes them: those that are named, or all of an agent. */
async function settle(
  source: TaskSource,
  agent: string,
  action: "revive" | "discard",
  keys: readonly DeliveryKey[] | undefined,
): Promise<number> {
  const { store, server } = source;
  const outbox = server?.agents.find(({ name }) => name === agent)?.push;
  if (keys === undefined && action === "revive" && outbox !== undefined)
    return outbox.redeliverAll();
  let count = 0;
  const one = async (key: DeliveryKey): Promise<void> => {
    if (action === "discard") {
      const { taskId, configId, sequence } = key;
      await store.settleQueue({ taskId, configId, arrived: [sequence] });
      count += 1;
    } else if (await (outbox?.redeliver(key) ?? store.reviveDelivery(key, Date.now()))) count += 1;
  };
  if (keys !== undefined) {
    for (const key of keys) await one(key);
    return count;
  }
  for (;;) {
    const page = await store.listBuried({ agent, limit: 100 });
    for (const key of page) await one(key);
    if (page.length < 100) return count;
  }
}

function parseKey(value: unknown): DeliveryKey {
  if (isObject(value)) {
    const { taskId, configId, sequence } = value as JsonBody;
    if (
      typeof taskId === "string" &&
      typeof configId === "string" &&
      Number.isSafeInteger(sequence)
    ) {
      return { taskId, configId, sequence: sequence as number };
    }
  }
  throw badField("delivery", "has to have taskId, configId and sequence");
}

interface Next {
  readonly agent: string;
  readonly key: DeliveryKey;
}

function nextText({
  agent,
  taskId,
  configId,
  sequence,
}: DeliveryKey & { readonly agent: string }): string {
  return Buffer.from(JSON.stringify([agent, taskId, configId, sequence])).toString("base64url");
}

function parseNext(text: string | null): Next | undefined {
  if (text === null || text === "") return undefined;
  try {
    const [agent, taskId, configId, sequence] = JSON.parse(
      Buffer.from(text, "base64url").toString(),
    ) as unknown[];
    return { agent: String(agent), key: parseKey({ taskId, configId, sequence }) };
  } catch (error) {
    if (A2AError.is(error)) throw error;
    throw badField("after", "is not the `next` of a page before");
  }
}
