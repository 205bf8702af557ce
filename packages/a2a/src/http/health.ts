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
    if (signal?.aborted === true) return readiness({ draining: "stopping" }, {});
    const checks = agents.flatMap((agent) => this.#checks.get(agent)?.() ?? []);
    const problem = (await Promise.all(checks)).find((one) => one !== undefined);
    const warnings = Object.assign({}, ...agents.map((agent) => agent.warnings?.())) as Reasons;
    if (problem !== undefined) return readiness(reasonsOf(problem), warnings);
    const loads = agents.map((agent) => agent.load?.());
    if (loads.includes("full")) return readiness({ load: "full: messages are refused" }, warnings);
    const isSaturated = loads.includes("saturated");
    const load = isSaturated && { load: "saturated: messages wait" };
    return readiness({}, { ...warnings, ...load });
  }
}

/** What is wrong, by what it is wrong with: `store`, `lease`, `draining`, `load`, `bus` or `clock`. */
type Reasons = Readonly<Record<string, string>>;

function reasonsOf(problem: Error): Reasons {
  // Other errors may say what is nobody's business.
  if (!A2AError.is(problem)) return { store: "the store does not answer, or the agent is closing" };
  return { [problem.details.metadata?.["check"] ?? "store"]: problem.message };
}

/** Says whether the server takes calls, and why it does not, or not as it should. What is degraded is not down. */
function readiness(problems: Reasons, warnings: Reasons): HttpResponse {
  const reasons = { ...warnings, ...problems };
  const isDown = Object.keys(problems).length > 0;
  const isSound = Object.keys(reasons).length === 0;
  const status = isDown ? "unready" : isSound ? "ready" : "degraded";
  const body = JSON.stringify(isSound ? { status } : { status, reasons });
  const headers = { "Content-Type": "application/json" };
  return { status: isDown ? 503 : 200, headers, body: `${body}\n` };
}
