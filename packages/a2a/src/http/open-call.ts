import { agentFor, createCallContext } from "../binding/internal.js";
import type { Call, MountedAgent } from "../binding/internal.js";
import type { Principal } from "../protocol/internal.js";
import { codecs, Cursor } from "../wire/internal.js";
import type { Dialect } from "../wire/internal.js";
import type { Exchange } from "./exchange.js";

/** Finds the agent that a request is for, authenticates the caller, and reads the context of the call. */
export async function openCall(
  exchange: Exchange,
  dialect: Dialect,
  params: unknown,
): Promise<Call> {
  const agent = agentOf(exchange, params);
  const principal = agent.auth === undefined ? undefined : await exchange.authenticate(agent);
  const { limits } = exchange.options;
  return {
    agent,
    codec: codecs[dialect],
    context: contextOf(exchange, agent, dialect, principal),
    params,
    cursor: new Cursor(limits === undefined ? {} : { limits }),
  };
}

/** The dialect that the task in the parameters was created in, if the agent knows it. */
export async function findCreatedIn(
  exchange: Exchange,
  dialect: Dialect,
  params: unknown,
): Promise<Dialect | undefined> {
  const agent = agentOf(exchange, params);
  const id = stringMember(params, "id");
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
  { request, credentials }: Exchange,
  agent: MountedAgent,
  dialect: Dialect,
  principal: Principal | undefined,
): Call["context"] {
  const { tenant } = agent;
  return createCallContext({ request, agent, dialect, tenant, principal, credentials });
}

/** A member that is a string and not empty. The codec refuses a member that is anything else. */
function stringMember(params: unknown, name: string): string | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const value = (params as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
