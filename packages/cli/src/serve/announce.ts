import type { Server } from "@parley/a2a/node";
import type { Callers } from "./callers.js";
import type { Agents } from "./module/choose-agents.js";
import { isAgent } from "./task-log.js";

/** What an operator is told of a server that has started. */
export interface Started {
  readonly server: Pick<Server, "url" | "grpcAddress" | "metricsUrl" | "store" | "bus">;
  readonly agents: Agents;
  readonly callers: Callers;
  readonly strict: boolean;
  /** What a caller may say. */
  readonly example: string;
}

/** Where the server is, what it keeps, who may call, and a line to try. */
export function announce(started: Started): string {
  const { server, agents, callers } = started;
  const paths = isAgent(agents) ? ["/"] : Object.keys(agents);
  const urls = paths.map((path) => server.url + (path === "/" ? "" : path));
  return [
    `Page: ${server.url}`,
    ...urls.map((url) => `Card: ${url}/.well-known/agent-card.json`),
    ...(server.grpcAddress === undefined ? [] : [`gRPC: ${server.grpcAddress}`]),
    ...(server.metricsUrl === undefined ? [] : [`Metrics: ${server.metricsUrl}`]),
    `Store: ${server.store}`,
    `Bus: ${server.bus}`,
    `Callers: ${callers.description}`,
    `Try: ${tryLine(urls[0] ?? server.url, started)}`,
    "",
  ].join("\n");
}

function tryLine(url: string, { strict, callers, example }: Started): string {
  const message = { messageId: "1", role: "ROLE_USER", parts: [{ text: example }] };
  const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  const headers = [
    "-H 'Content-Type: application/json'",
    ...(strict ? ["-H 'A2A-Version: 1.0'"] : []),
    ...(callers.curlOption === undefined ? [] : [callers.curlOption]),
  ].join(" ");
  return `curl -sS ${url} ${headers} -d '${JSON.stringify(body)}'`;
}
