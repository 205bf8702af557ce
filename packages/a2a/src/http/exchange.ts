import { ownTurn } from "../async/internal.js";
import {
  agentFor,
  createCallContext,
  failureOf,
  fileBytesOf,
  isLarge,
  tellTextFiles,
} from "../binding/internal.js";
import type { Call, MountedAgent, MountPoint } from "../binding/internal.js";
import { A2AError, defaultLimits } from "../protocol/internal.js";
import type { Credentials, LargeAnswer, Principal } from "../protocol/internal.js";
import { codecs, Cursor } from "../wire/internal.js";
import type { Dialect } from "../wire/internal.js";
import { foreignPageRefusal } from "./foreign-page.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";

/** One request, and what its answer depends on. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly options: HttpOptions;
  readonly binding: "JSONRPC" | "HTTP+JSON";
  /** Where the request has arrived. */
  readonly point: MountPoint;
  /** The path below that of the mount point, beginning with a slash, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The protocol version that the request names, if it names one. */
  readonly version: string | undefined;
  /** Absent where no agent authenticates its callers. */
  readonly credentials: Credentials | undefined;
  /** Authenticates the caller; only once, however often it is called. */
  readonly authenticate: (agent: MountedAgent) => Promise<Principal | undefined>;
  /** The agent that the call is for, once the parameters have told. */
  agent?: MountedAgent;
  /** Whether the body is so large that each step of the call gets a turn of the event loop for itself. */
  isLarge?: boolean;
  /** What the service keeps for its answer, if that is large. */
  large?: LargeAnswer;
}

/** How much of a refused caller's body is read: enough to answer in the dialect that it is written in. */
const refusedBodyBytes = 64 * 1024;

/**
 * Refuses pages of other origins and authenticates the caller before the body is read, so that callers who may not
 * call cannot make this server read much. Resolves to the error that refuses the caller, or to `undefined`. Returns
 * `undefined` if there is nothing to check yet: where agents at one path differ in their authenticators, the body tells
 * which agent is meant.
 */
export function refusalOf(exchange: Exchange): Promise<unknown> | undefined {
  const { request, options, point, credentials, authenticate } = exchange;
  const refusal = foreignPageRefusal(request, options);
  if (refusal !== undefined) return Promise.resolve(refusal);
  if (credentials === undefined) return undefined;
  const [first, ...others] = point.agents;
  if (first?.auth === undefined || others.some(({ auth }) => auth !== first.auth)) return undefined;
  return authenticate(first).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/**
 * Checks the headers of a request that must have a body. Returns how many bytes of the body are read, given the
 * error that refuses the caller, if there is one.
 */
export function checkBody(exchange: Exchange, expectedType: string, refusal: unknown): number {
  checkContentType(exchange, expectedType);
  return bodyLimit(exchange, refusal);
}

/** How many bytes of the body are read, given the error that refuses the caller, if there is one. */
export function bodyLimit({ options }: Exchange, refusal: unknown): number {
  const { maxBodyBytes } = options.limits ?? defaultLimits;
  return refusal === undefined ? maxBodyBytes : Math.min(maxBodyBytes, refusedBodyBytes);
}

/** After a large body has been parsed: lets others have their turns. Returns nothing to wait for after a small one. */
export function afterParsing(exchange: Exchange, body: Uint8Array): Promise<void> | undefined {
  if (!isLarge(body.byteLength)) return undefined;
  exchange.isLarge = true;
  return ownTurn();
}

/** Refuses a body whose headers say that it is not plain JSON. */
export function checkContentType({ request }: Exchange, expected: string): void {
  const encoding = request.header("content-encoding") ?? "identity";
  if (encoding !== "identity") refuse(`expected no Content-Encoding, got ${quote(encoding)}`);
  const type = request.header("content-type");
  if (type === "application/json") return;
  // A browser lets pages of any origin send a body without a type, without asking; other callers may omit it.
  const isOmitted = type === undefined && request.header("origin") === undefined;
  const [name = ""] = (type ?? "").split(";");
  if (isOmitted || /^application\/(?:[\w.+-]+\+)?json$/i.test(name.trim())) return;
  refuse(`expected Content-Type ${expected}, got ${type === undefined ? "none" : quote(name)}`);
}

function refuse(message: string): never {
  throw new A2AError("CONTENT_TYPE_NOT_SUPPORTED", message);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}

/**
 * Finds the agent that a request is for, authenticates the caller, and reads the context of the call. Without a promise
 * where anyone may call.
 */
export function openCall(
  exchange: Exchange,
  dialect: Dialect,
  params: unknown,
): Call | Promise<Call> {
  const agent = agentOf(exchange, params);
  const open = (principal?: Principal): Call =>
    callOf(exchange, agent, { dialect, params, principal });
  return agent.auth === undefined ? open() : exchange.authenticate(agent).then(open);
}

function callOf(
  exchange: Exchange,
  agent: MountedAgent,
  {
    dialect,
    params,
    principal,
  }: {
    readonly dialect: Dialect;
    readonly params: unknown;
    readonly principal: Principal | undefined;
  },
): Call {
  const { limits = defaultLimits, strict = false, fileBytes } = exchange.options;
  const textFiles =
    dialect === "0.3-proto" &&
    fileBytesOf(fileBytes, exchange.request.header("user-agent"), exchange.version) === "base64";
  return {
    agent: textFiles ? { ...agent, service: tellTextFiles(agent.service) } : agent,
    codec: codecs[dialect],
    context: contextOf(exchange, agent, dialect, principal),
    params,
    cursor: new Cursor({ limits, strict, textFiles }),
    isLarge: exchange.isLarge ?? false,
  };
}

/** The dialect that the task in the parameters was created in, if the agent knows it. */
export async function findCreatedIn(
  exchange: Exchange,
  dialect: Dialect,
  params: unknown,
): Promise<Dialect | undefined> {
  const agent = agentOf(exchange, params);
  const id = stringMember(params, "taskId") ?? stringMember(params, "id");
  if (id === undefined || agent.createdIn === undefined) return undefined;
  const principal = await exchange.authenticate(agent);
  const createdIn = await agent.createdIn(id, contextOf(exchange, agent, dialect, principal));
  const isDialect = createdIn !== undefined && Object.hasOwn(codecs, createdIn);
  return isDialect ? (createdIn as Dialect) : undefined;
}

function agentOf(exchange: Exchange, params: unknown): MountedAgent {
  return (exchange.agent ??= agentFor(exchange.point, stringMember(params, "tenant")));
}

function contextOf(
  exchange: Exchange,
  agent: MountedAgent,
  dialect: Dialect,
  principal: Principal | undefined,
): Call["context"] {
  const { request, credentials, options, binding } = exchange;
  const { trustsProxy, trustTraceparent } = options;
  const { tenant } = agent;
  const holdAnswer = (answer: LargeAnswer): void => void (exchange.large = answer);
  return createCallContext({
    request,
    agent,
    dialect,
    binding,
    tenant,
    principal,
    credentials,
    trustsProxy,
    trustTraceparent,
    holdAnswer,
  });
}

/** A member that is a string and not empty. The codec refuses a member that is anything else. */
function stringMember(params: unknown, name: string): string | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const value = (params as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The error that the caller gets for something thrown. */
export function failureIn({ agent, point, options, binding }: Exchange, error: unknown): A2AError {
  const agents = agent === undefined ? point.agents : [agent];
  return failureOf(error, agents, { ...options, binding });
}

/** The same for what a stream throws later. Keeps nothing of the request: streams may last for days. */
export function failuresIn({
  agent,
  point,
  options: { reportFailure, telemetry },
  binding,
}: Exchange): (error: unknown) => A2AError {
  const agents = agent === undefined ? point.agents : [agent];
  return (error) => failureOf(error, agents, { reportFailure, telemetry, binding });
}
