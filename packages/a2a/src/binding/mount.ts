import { measured } from "../protocol/telemetry/internal.js";
import { traced } from "../protocol/tracing/internal.js";
import { callOnce, callStream, createService } from "../protocol/internal.js";
import type {
  AgentCard,
  AgentExtension,
  AgentInterface,
  AgentService,
  Authenticator,
  CallContext,
  Limits,
  MountableAgent,
  Telemetry,
} from "../protocol/internal.js";
import type { CallerFileBytes } from "./file-bytes.js";

/** Where a server offers an agent, and to whom. An agent without a path and a tenant is at the root, for everyone. */
export interface Mount {
  readonly agent: MountableAgent;
  /** The path of the agent's base URL, such as `/travel`; the root when absent. */
  readonly path?: string;
  /**
   * The tenant that the agent serves. It goes into every call, and into the card's interfaces. Agents of
   * different tenants can share a path; an agent without a tenant serves all tenants that have none there.
   */
  readonly tenant?: string;
  /** Authenticates callers of this agent in place of the server's authenticator; `false` lets anyone call. */
  readonly auth?: Authenticator | false;
}

/** The options that servers have in common, whatever the binding. */
export interface BindingOptions {
  readonly mounts: readonly Mount[];
  readonly limits?: Limits;
  /**
   * Serves by the letter of each version: refuses what is understood only out of tolerance, and gives readers of the card who
   * name no version that of 1.0. `docs/strict.md` lists the differences.
   */
  readonly strict?: boolean;
  /**
   * What callers of 0.3 have in the bytes of a file, over gRPC and REST: `raw` bytes or `base64` text. When absent the server
   * takes those for `base64` that call with the libraries of the official Python and Go clients, by their `User-Agent`, and
   * all others for `raw`. Of callers with `base64`, bytes that are not base64 text from end to end stay as they are.
   */
  readonly fileBytes?: CallerFileBytes;
  /** Whether the server believes what a connection from this address forwards: it is that of a trusted proxy. */
  readonly trustsProxy?: (address: string) => boolean;
  /** Authenticates callers of the mounts that have no authenticator of their own; anyone may call when absent. */
  readonly auth?: Authenticator;
  /** Receives internal errors, of which callers learn nothing. Default: one line on the console. */
  readonly reportFailure?: (error: unknown) => void;
  /** Where traces, metrics and logs go. Absent: internal errors on the console, and nothing else. */
  readonly telemetry?: Telemetry;
  /**
   * Whether spans of a call become part of the trace that its caller names; true when absent. Otherwise they begin a trace
   * of their own, which links to the caller's.
   */
  readonly trustTraceparent?: boolean;
}

/** A mount as the bindings use it, with everything worked out that does not depend on a request. */
export interface MountedAgent {
  readonly service: AgentService;
  /** The path of the base URL: empty, or with a leading slash and no trailing one. */
  readonly path: string;
  readonly tenant: string | undefined;
  /**
   * The tenant that callers name to reach this agent over a binding without paths: the segments of its path,
   * then its own tenant, such as `travel/acme`. Absent for an agent at the root that serves everyone.
   */
  readonly name: string | undefined;
  /** Whether a call that names no tenant, over a binding without paths, is for this agent. */
  readonly isDefault: boolean;
  /**
   * The path, below its base URL, at which callers reach this agent who cannot name a tenant, as all before
   * 1.0. Empty for the base URL itself; absent where they cannot reach it.
   */
  readonly tenantPath: string | undefined;
  /** Absent where anyone may call. */
  readonly auth: Authenticator | undefined;
  /** The extensions that callers may activate. */
  readonly extensions: readonly AgentExtension[];
  /** The methods that its extensions define. */
  readonly methods: readonly string[];
  /** The agent's card for these interfaces, with what its authenticator requires of callers. */
  card(interfaces: readonly AgentInterface[]): AgentCard;
  readonly createdIn: MountableAgent["createdIn"];
  readonly check: MountableAgent["check"];
  readonly load: MountableAgent["load"];
  readonly warnings: MountableAgent["warnings"];
}

export interface ResolveOptions {
  readonly mounts: readonly Mount[];
  /** The server's authenticator, for mounts without their own. */
  readonly auth?: Authenticator | undefined;
  /** Extensions that the binding itself provides, whatever an agent's card declares. */
  readonly provided?: readonly AgentExtension[];
  readonly telemetry?: Telemetry | undefined;
}

export function resolveMounts({
  mounts,
  auth: common,
  provided = [],
  telemetry = {},
}: ResolveOptions): readonly MountedAgent[] {
  const paths = mounts.map(({ path }) => mountPath(path));
  return mounts.map((mount, index): MountedAgent => {
    const { agent, tenant } = mount;
    const path = paths[index] ?? "";
    const auth = mount.auth === false ? undefined : (mount.auth ?? common);
    const card: MountedAgent["card"] = (interfaces) => declareIn(agent.card(interfaces), auth);
    const { extensions = [] } = card([]).capabilities;
    const missing = provided.filter(({ uri }) => !extensions.some((one) => one.uri === uri));
    const name = nameOf(mount);
    const isAloneAtPath = paths.filter((other) => other === path).length === 1;
    return {
      service: observed(agent, telemetry),
      path,
      tenant,
      name,
      isDefault: name === undefined || mounts.length === 1,
      tenantPath: tenantPathOf(tenant) ?? (isAloneAtPath ? "" : undefined),
      auth,
      extensions: [...extensions, ...missing],
      methods: agent.methods ?? [],
      card,
      createdIn: agent.createdIn?.bind(agent),
      check: agent.check?.bind(agent),
      load: agent.load?.bind(agent),
      warnings: agent.warnings?.bind(agent),
    };
  });
}

/** The agent's service, behind what counts its calls and what makes their spans; the service itself without either. */
function observed(agent: MountableAgent, { tracer, metrics }: Telemetry): AgentService {
  const { service } = agent;
  // The spans are in front, so that the example of a duration is the span of its call.
  const counted = metrics === undefined ? service : measured(service, { metrics });
  if (tracer === undefined) return counted;
  const inSpans = traced(counted, { tracer, kind: "server", card: agent.card([]) });
  // A call whose request nobody will see stays part of the span of its request.
  const behind = ({ trace }: CallContext): AgentService =>
    trace?.isUnseen === true ? counted : inSpans;
  return createService(
    (operation, request, call) => callOnce(behind(call), operation, request, call),
    (operation, request, call) => callStream(behind(call), operation, request, call),
  );
}

/** Adds the security schemes and requirements of an authenticator to a card. */
export function declareIn(card: AgentCard, auth: Authenticator | undefined): AgentCard {
  return auth === undefined ? card : auth.declareIn(card);
}

/** A mount's path as requests spell it. Throws for what is not the path of a URL. */
export function mountPath(path = ""): string {
  const { pathname, search, hash } = new URL(`http://localhost${path.replace(/^(?!\/)/, "/")}`);
  if (search !== "" || hash !== "") {
    throw new Error(`${path} is not the path of a URL: leave out its query and its fragment`);
  }
  return pathname.replace(/\/+$/, "");
}

function nameOf({ path = "", tenant = "" }: Mount): string | undefined {
  const segments = [...path.split("/"), tenant].filter((segment) => segment !== "");
  return segments.length === 0 ? undefined : segments.join("/");
}

/** First segments that are paths of the protocol below every agent's URL, or that URLs do not keep. */
const reservedSegments: ReadonlySet<string> = new Set([
  ".",
  "..",
  ".well-known",
  "agent",
  "extendedAgentCard",
  "message",
  "tasks",
  "v1",
]);

/** Empty without a tenant; absent for a tenant whose name would be read as a path of the protocol. */
function tenantPathOf(tenant: string | undefined): string | undefined {
  if (tenant === undefined) return "";
  return reservedSegments.has(tenant) || tenant.includes(":")
    ? undefined
    : `/${encodeURIComponent(tenant)}`;
}
