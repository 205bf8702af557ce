import { createHealthCheck } from "../async/internal.js";
import { A2AError } from "../protocol/internal.js";
import type { MountTable, MountedAgent } from "../binding/internal.js";
import type { HttpRequest, HttpResponse } from "./http-message.js";
import { textResponse } from "./text-response.js";

const probes = ["/healthz", "/readyz"] as const;
const ok = Promise.resolve(textResponse(200, "ok"));

/**
 * Answers probes, at the root for all agents and below each agent for that agent: `/healthz` says that the server
 * runs, `/readyz` whether it can answer calls.
 */
export class Health {
  readonly #table: MountTable;
  readonly #checks = new Map<MountedAgent, () => Promise<Error | undefined>>();

  constructor(table: MountTable) {
    this.#table = table;
    for (const agent of table.points.flatMap(({ agents }) => agents)) {
      const { check } = agent;
      if (check !== undefined) this.#checks.set(agent, createHealthCheck(check));
    }
  }

  /** The answer to a probe; `undefined` for a path that is not one. */
  answer(request: HttpRequest, path: string): Promise<HttpResponse> | undefined {
    const probe = probes.find((one) => path.endsWith(one));
    const agents = probe && this.#agentsAt(path.slice(0, -probe.length));
    if (agents === undefined) return undefined;
    return probe === "/healthz" ? ok : this.#readiness(request, agents);
  }

  #agentsAt(base: string): readonly MountedAgent[] | undefined {
    const { points } = this.#table;
    if (base === "") return points.flatMap(({ agents }) => agents);
    return points.find(({ path }) => path === base)?.agents;
  }

  async #readiness(
    { signal }: HttpRequest,
    agents: readonly MountedAgent[],
  ): Promise<HttpResponse> {
    // A listener that drains sends every caller away.
    if (signal?.aborted === true) return textResponse(503, "stopping");
    const checks = agents.flatMap((agent) => this.#checks.get(agent)?.() ?? []);
    const problem = (await Promise.all(checks)).find((one) => one !== undefined);
    if (problem !== undefined) {
      // Other errors may say what is nobody's business.
      const reason = A2AError.is(problem)
        ? problem.message
        : "the store does not answer, or the agent is closing";
      return textResponse(503, reason);
    }
    const loads = agents.map((agent) => agent.load?.());
    if (loads.includes("full")) return textResponse(503, "full: messages are refused");
    const isSaturated = loads.includes("saturated");
    return textResponse(200, isSaturated ? "ready, but saturated: messages wait" : "ready");
  }
}
