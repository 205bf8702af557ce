import type { Capabilities, Fault } from "../contract/index.js";
import type { AgentConnection } from "./connections/agent-connection.js";
import { parseRaw } from "./connections/parse-raw.js";
import type { Connections } from "./connections/connections.js";
import { parseCall } from "./connections/call-request.js";
import { eventAnswer } from "./http/answers.js";
import type { Previews } from "./http/previews.js";
import { optionalCount, optionalOneOf, queryCount, readJson, textOf } from "./http/read-json.js";
import type { JsonBody } from "./http/read-json.js";
import { badField } from "./http/refusal.js";
import type { RoutedRequest, Routes } from "./http/router.js";
import type { Feed } from "./record/feed.js";
import type { HopRing } from "./record/hop-ring.js";

export interface RoutesContext {
  readonly capabilities: () => Capabilities;
  readonly connections: Connections;
  readonly feed: Feed;
  readonly ring: HopRing;
  readonly previews: Previews;
  /** Whether agents may be called at all. */
  readonly canCall: boolean;
}

/** Messages carry files, as base64. */
const maxBodyBytes = 32 * 1024 * 1024;
const maxCount = Number.MAX_SAFE_INTEGER;

/** The routes of every mode: what was recorded; where agents may be called, connections and calls. */
export function baseRoutes(context: RoutesContext): Routes {
  const { capabilities, feed, ring, previews } = context;
  return {
    "GET capabilities": async () => capabilities(),
    "GET events": async ({ query }) => {
      const after = queryCount(query, "after", maxCount);
      const numberOf = (item: unknown): number => (item as { readonly number: number }).number;
      return eventAnswer(feed.read(after), { numberOf });
    },
    "GET hops": async ({ query }) =>
      ring.list({
        after: queryCount(query, "after", maxCount),
        limit: queryCount(query, "limit", 10_000),
      }),
    "GET hops/:h": async ({ path }) => ring.get(Number(path["h"])).whole(),
    "POST previews": async ({ request }) => {
      const body = await readJson(request, 4 * 1024 * 1024);
      return { url: previews.add(textOf(body, "html", 4 * 1024 * 1024)) };
    },
    "GET connections": async () => ({
      connections: context.connections.all().map(({ view }) => view),
    }),
    ...(context.canCall && callRoutes(context)),
  };
}

function callRoutes({ connections }: RoutesContext): Routes {
  const connectionOf = ({ path }: RoutedRequest): AgentConnection =>
    connections.get(path["c"] ?? "");
  return {
    "POST connections": async ({ request }) =>
      connections.open(await readJson(request, maxBodyBytes)),
    "DELETE connections/:c": async ({ path }) => {
      connections.close(path["c"] ?? "");
      return {};
    },
    "POST connections/:c/call": async (routed) => {
      const connection = connectionOf(routed);
      const call = parseCall(await readJson(routed.request, maxBodyBytes));
      const isStream =
        call.operation === "sendStreamingMessage" || call.operation === "subscribeToTask";
      return isStream ? eventAnswer(connection.stream(call)) : connection.call(call);
    },
    "POST connections/:c/raw": async (routed) => ({
      hop: await connectionOf(routed).raw(parseRaw(await readJson(routed.request, maxBodyBytes))),
    }),
    "POST connections/:c/probe": async (routed) => ({
      interfaces: await connectionOf(routed).probe(),
    }),
    "POST connections/:c/fault": async (routed) => {
      connectionOf(routed).fault(parseFault(await readJson(routed.request, maxBodyBytes)));
      return {};
    },
  };
}

function parseFault(body: JsonBody): Fault {
  const kind = optionalOneOf(body, "kind", ["cut", "silence", "slow", "none"]);
  if (kind === undefined) throw badField("kind", "is missing");
  const afterEvents = optionalCount(body, "afterEvents", { min: 1, max: 1_000_000 });
  const ms = optionalCount(body, "ms", { min: 1, max: 600_000 });
  const everyMs = optionalCount(body, "everyMs", { min: 1, max: 60_000 });
  if (kind === "cut") return { kind, ...(afterEvents !== undefined && { afterEvents }) };
  if (kind === "silence") return { kind, ...(ms !== undefined && { ms }) };
  if (kind === "slow") return { kind, ...(everyMs !== undefined && { everyMs }) };
  return { kind };
}
