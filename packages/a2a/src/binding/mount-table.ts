import { A2AError } from "../protocol/internal.js";
import { resolveMounts } from "./mount.js";
import type { MountedAgent, ResolveOptions } from "./mount.js";

/** A path, and the agents that are mounted there: one, or several that the tenant of a call tells apart. */
export interface MountPoint {
  /** Empty at the root, otherwise without a trailing slash. */
  readonly path: string;
  readonly agents: readonly MountedAgent[];
  /** Whether one of the agents authenticates its callers. */
  readonly authenticates: boolean;
  /** The methods that extensions of the agents define. */
  readonly methods: ReadonlySet<string>;
}

/** The agent that a name leads to. */
export interface NamedAgent {
  readonly agent: MountedAgent;
  /** The tenant that the agent is called under: its own, or what follows its name. */
  readonly tenant: string | undefined;
}

/**
 * The agents of a server. HTTP finds one by the path of a request, then by its tenant; a binding without paths
 * finds it by its name, which callers put into the tenant.
 */
export class MountTable {
  /** Longest paths first. */
  readonly points: readonly MountPoint[];
  /** Longest names first, the agent without a name last. */
  readonly #byName: readonly MountedAgent[];

  /** Throws if there is no agent, or if two agents share a path and tenant. */
  constructor(options: ResolveOptions) {
    const agents = resolveMounts(options);
    if (agents.length === 0) throw new Error("there is no agent to serve: mounts is empty");
    this.points = pointsOf(agents);
    this.#byName = agents.toSorted((a, b) => (b.name ?? "").length - (a.name ?? "").length);
  }

  /**
   * Throws if two agents share a name, for a binding that finds agents by name. Paths and tenants that differ
   * can spell one name: `/v1`, and the tenant `v1` at the root.
   */
  checkNames(): void {
    const names = new Set<string | undefined>();
    for (const { name } of this.#byName) {
      if (names.has(name)) {
        throw new Error(
          `two agents are named ${name ?? "nothing"} over gRPC: give one of them another path or tenant`,
        );
      }
      names.add(name);
    }
  }

  /** The mount point with the longest path that a request's path begins with. */
  pointAt(path: string): MountPoint | undefined {
    return this.points.find((point) => path === point.path || path.startsWith(`${point.path}/`));
  }

  /** The agent that a name leads to. None if no agent has it, or if none is named and several are served. */
  named(name: string | undefined): NamedAgent | undefined {
    for (const agent of this.#byName) {
      if (agent.name === undefined) return { agent, tenant: name };
      if (name === agent.name) return { agent, tenant: agent.tenant };
      if (agent.tenant === undefined && name?.startsWith(`${agent.name}/`) === true) {
        return { agent, tenant: name.slice(agent.name.length + 1) || undefined };
      }
    }
    const [only] = this.#byName;
    return name === undefined && only?.isDefault === true
      ? { agent: only, tenant: only.tenant }
      : undefined;
  }
}

/** The agent at a mount point that a call is for. Throws `INVALID_PARAMS` if the tenant names none. */
export function agentFor({ agents }: MountPoint, tenant: string | undefined): MountedAgent {
  const own = agents.find((agent) => agent.tenant === tenant);
  const general = own ?? agents.find((agent) => agent.tenant === undefined);
  if (general !== undefined) return general;
  const [only, ...others] = agents;
  // Callers before 1.0 cannot name a tenant.
  if (tenant === undefined && only !== undefined && others.length === 0) return only;
  throw unknownTenant(tenant);
}

/** The error for a call whose tenant, or whose lack of one, leads to no agent. */
export function unknownTenant(tenant: string | undefined): A2AError {
  const description =
    tenant === undefined
      ? "several agents are served here; name one by the tenant in its card"
      : "no agent is served here under that tenant";
  return new A2AError("INVALID_PARAMS", `tenant: ${description}`, {
    details: { fieldViolations: [{ field: "tenant", description }] },
  });
}

function pointsOf(agents: readonly MountedAgent[]): readonly MountPoint[] {
  const byPath = new Map<string, readonly MountedAgent[]>();
  for (const agent of agents) {
    const present = byPath.get(agent.path) ?? [];
    if (present.some(({ tenant }) => tenant === agent.tenant)) throw twoAt(agent.path);
    byPath.set(agent.path, [...present, agent]);
  }
  // Callers who cannot name a tenant have a URL for each one. A second agent there would get calls for the
  // tenant, also those of 1.0 that name it in their path.
  for (const agent of agents) {
    if (agent.tenantPath === undefined || agent.tenantPath === "") continue;
    const path = `${agent.path}${agent.tenantPath}`;
    if (byPath.has(path)) throw twoAt(path);
    byPath.set(path, [agent]);
  }
  const points = Array.from(byPath, ([path, at]): MountPoint => {
    return {
      path,
      agents: at,
      authenticates: at.some(({ auth }) => auth !== undefined),
      methods: new Set(at.flatMap(({ methods }) => methods)),
    };
  });
  return points.toSorted((a, b) => b.path.length - a.path.length);
}

function twoAt(path: string): Error {
  const where = path === "" ? "/" : path;
  return new Error(`two agents are mounted at ${where}: give one of them another path or tenant`);
}
