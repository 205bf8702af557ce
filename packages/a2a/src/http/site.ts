import { A2AError } from "../protocol/internal.js";
import type {
  AgentCard,
  AgentExtension,
  AgentInterface,
  Authenticator,
} from "../protocol/internal.js";
import { isDiscoveryPath } from "../wire/internal.js";
import type { HttpOptions, Mount } from "./http-options.js";

/** A mounted agent, and the extensions that its card declares. */
export interface Host {
  readonly mount: Mount;
  /** Of its base URL: empty, or with a leading slash and no trailing one. */
  readonly path: string;
  readonly declared: readonly AgentExtension[];
  /** Absent where anyone may call. */
  readonly auth: Authenticator | undefined;
  /** What the agent's card says at the given interfaces. */
  readonly card: (interfaces: readonly AgentInterface[]) => AgentCard;
}

/** What is served at one path: an agent, or several that are told apart by the tenant of a call. */
export interface Site {
  /** Without a trailing slash; empty at the root. */
  readonly path: string;
  readonly hosts: readonly Host[];
}

/** The sites of a server, those with the longest paths first. */
export function createSites({
  mounts,
  auth: common,
}: Pick<HttpOptions, "mounts" | "auth">): readonly Site[] {
  const byPath = new Map<string, Host[]>();
  for (const mount of mounts) {
    const host = createHost(mount, common);
    const hosts = byPath.get(host.path) ?? [];
    if (hosts.some((other) => other.mount.tenant === mount.tenant)) throw twoAt(host.path);
    byPath.set(host.path, [...hosts, host]);
  }
  // Callers before 1.0, who cannot name a tenant, have a URL for each. Nobody else may be there: they
  // would be answered for it, and so would who names the tenant in a path of 1.0.
  for (const host of [...byPath.values()].flat()) {
    const own = tenantPath(host.mount);
    if (own === undefined || own === "") continue;
    const path = `${host.path}${own}`;
    if (byPath.has(path)) throw twoAt(path);
    byPath.set(path, [host]);
  }
  const sites = [...byPath].map(([path, hosts]): Site => ({ path, hosts }));
  return sites.toSorted((a, b) => b.path.length - a.path.length);
}

function twoAt(path: string): Error {
  return new Error(`two agents are mounted at ${path === "" ? "/" : path}`);
}

function createHost(mount: Mount, common: Authenticator | undefined): Host {
  const { agent } = mount;
  const auth = mount.auth === false ? undefined : (mount.auth ?? common);
  const card: Host["card"] = (interfaces) => {
    const plain = agent.card(interfaces);
    return auth === undefined ? plain : auth.declareIn(plain);
  };
  const declared = card([]).capabilities.extensions ?? [];
  return { mount, path: pathOf(mount), declared, auth, card };
}

/** The path of an agent's base URL, as requests spell it: empty, or with a leading slash and no trailing one. */
export function pathOf({ path = "" }: Mount): string {
  const { pathname, search, hash } = new URL(`http://localhost${path.replace(/^(?!\/)/, "/")}`);
  if (search !== "" || hash !== "") throw new Error(`${path} is not the path of a URL`);
  return pathname.replace(/\/+$/, "");
}

/** First segments that are paths of the protocol, below every agent's URL, or that no URL keeps. */
const reserved: ReadonlySet<string> = new Set([
  ".",
  "..",
  ".well-known",
  "agent",
  "extendedAgentCard",
  "message",
  "tasks",
  "v1",
]);

/**
 * Where the agent of a tenant has a URL of its own below its path, for callers who cannot name the
 * tenant. Empty for agents that are for everyone; none where the tenant's name would be read otherwise.
 */
export function tenantPath({ tenant }: Mount): string | undefined {
  if (tenant === undefined) return "";
  return reserved.has(tenant) || tenant.includes(":")
    ? undefined
    : `/${encodeURIComponent(tenant)}`;
}

export interface FoundSite {
  readonly site: Site;
  /** The path below the site's, beginning with a slash. */
  readonly path: string;
}

const extendedCardPath = "/agent/authenticatedExtendedCard";

/** The site that a path belongs to. */
export function findSite(sites: readonly Site[], target: string): FoundSite | undefined {
  const site = sites.find(({ path }) => target === path || target.startsWith(`${path}/`));
  if (site !== undefined) return { site, path: target.slice(site.path.length) || "/" };
  const [only, ...others] = candidatesBeside(sites, target);
  if (only === undefined || others.length > 0) return undefined;
  return { site: only, path: isDiscoveryPath(target) ? target : extendedCardPath };
}

/**
 * Cards are looked for outside their agent's path too: the public one at the origin (§8.2), and in 0.2
 * the extended one beside the agent. That is followed where only one agent can be meant.
 */
function candidatesBeside(sites: readonly Site[], target: string): readonly Site[] {
  if (isDiscoveryPath(target)) return sites.filter(isMounted);
  if (!target.endsWith(extendedCardPath)) return [];
  const parent = target.slice(0, -extendedCardPath.length);
  return sites.filter(({ path }) => path.slice(0, path.lastIndexOf("/")) === parent);
}

/** Whether an agent is mounted at the path itself, and not only one of its tenants found there. */
function isMounted({ path, hosts }: Site): boolean {
  return hosts.some((host) => host.path === path);
}

/** The agent that a call is for. Throws `INVALID_PARAMS` for a tenant that is not served here. */
export function hostFor({ hosts }: Site, tenant: string | undefined): Host {
  const named = hosts.find(({ mount }) => mount.tenant === tenant);
  const general = named ?? hosts.find(({ mount }) => mount.tenant === undefined);
  if (general !== undefined) return general;
  const [only, ...others] = hosts;
  // Callers before 1.0 have no way to name a tenant.
  if (tenant === undefined && only !== undefined && others.length === 0) return only;
  const description =
    tenant === undefined ? "this URL serves several; name one" : "there is none of that name here";
  throw new A2AError("INVALID_PARAMS", `tenant: ${description}`, {
    details: { fieldViolations: [{ field: "tenant", description }] },
  });
}

/** The agent whose card is asked for by a path below a site's: the first, or that of a tenant. */
export function cardHost({ hosts }: Site, path: string): Host | undefined {
  if (isDiscoveryPath(path)) {
    return hosts.find(({ mount }) => mount.tenant === undefined) ?? hosts[0];
  }
  return hosts.find(({ mount: { tenant } }) => {
    const prefix = tenant === undefined ? undefined : `/${encodeURIComponent(tenant)}`;
    return (
      prefix !== undefined && path.startsWith(prefix) && isDiscoveryPath(path.slice(prefix.length))
    );
  });
}
