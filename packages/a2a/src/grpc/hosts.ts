import { A2AError, eventIdExtension, eventIdUri } from "../protocol/internal.js";
import type {
  AgentCard,
  AgentExtension,
  Authenticator,
  HostedAgent,
} from "../protocol/internal.js";
import { grpcTenant } from "../wire/internal.js";
import type { GrpcVersion } from "../wire/internal.js";
import type { GrpcMount, GrpcOptions } from "./grpc-options.js";

/** An agent of a server, and the extensions that its card declares. */
export interface Host {
  readonly agent: HostedAgent;
  /** The tenant by which callers mean it; absent for one that is meant where none is named. */
  readonly name: string | undefined;
  /** The tenant it is for, if it is for one. */
  readonly tenant: string | undefined;
  readonly declared: readonly AgentExtension[];
  /** Absent where anyone may call. */
  readonly auth: Authenticator | undefined;
}

/** The agent that a call is for. */
export interface FoundHost {
  readonly host: Host;
  /** What the agent is told of the tenant that the call names. */
  readonly tenant: string | undefined;
}

/** The agents of a server, told apart by the tenants of calls. */
export class Hosts {
  /** Those with the longest names first, the one without last. */
  readonly #hosts: readonly Host[];

  constructor({ mounts, auth }: Pick<GrpcOptions, "mounts" | "auth">) {
    const hosts = mounts.map((mount) => createHost(mount, auth));
    this.#hosts = hosts.toSorted((a, b) => (b.name ?? "").length - (a.name ?? "").length);
    const names = new Set(hosts.map(({ name }) => name));
    if (hosts.length === 0) throw new Error("gRPC has no agent to serve");
    if (names.size < hosts.length) throw new Error("two agents have one name over gRPC");
  }

  /** Whether callers that name no tenant mean this agent. */
  isMeantByDefault(host: Host): boolean {
    return host.name === undefined || this.#hosts.length === 1;
  }

  /** The agent that is meant. Throws where there is none, or it cannot be known which. */
  find(tenant: string | undefined, version: GrpcVersion): FoundHost {
    for (const host of this.#hosts) {
      if (host.name === undefined) return { host, tenant };
      if (tenant === host.name) return { host, tenant: host.tenant };
      if (host.tenant === undefined && tenant?.startsWith(`${host.name}/`) === true) {
        return { host, tenant: tenant.slice(host.name.length + 1) || undefined };
      }
    }
    const [only, ...others] = this.#hosts;
    if (tenant === undefined && only !== undefined && others.length === 0) {
      return { host: only, tenant: only.tenant };
    }
    throw version === "1.0" ? notNamed(tenant) : notNameable();
  }
}

function createHost(mount: GrpcMount, common: Authenticator | undefined): Host {
  const { agent, tenant } = mount;
  const auth = mount.auth === false ? undefined : (mount.auth ?? common);
  const { extensions = [] } = declareIn(auth, agent.card([])).capabilities;
  const declared = extensions.some(({ uri }) => uri === eventIdUri)
    ? extensions
    : [...extensions, eventIdExtension];
  return { agent, name: grpcTenant(mount), tenant, declared, auth };
}

/** A card that says who may call. */
export function declareIn(auth: Authenticator | undefined, card: AgentCard): AgentCard {
  return auth === undefined ? card : auth.declareIn(card);
}

function notNamed(tenant: string | undefined): A2AError {
  const description =
    tenant === undefined
      ? "several agents are served here; name one, by the tenant in its card"
      : "there is none of that name here";
  return new A2AError("INVALID_PARAMS", `tenant: ${description}`, {
    details: { fieldViolations: [{ field: "tenant", description }] },
  });
}

function notNameable(): A2AError {
  const message =
    "several agents are served here, and before 1.0 a call over gRPC cannot name one; " +
    "use 1.0, or another binding";
  return new A2AError("UNSUPPORTED_OPERATION", message);
}
