import { connect } from "@parley/a2a";
import type { Agent, AgentCard, AgentSkill, ConnectOptions } from "@parley/a2a";
import { grpcTransports } from "@parley/a2a/grpc";
import { createBackendAgent } from "../backend-agent.js";
import type { BackendCard } from "../backend-agent.js";
import { relay } from "./relay.js";

/** An agent on another server, of any version. */
export interface GatewayOptions extends BackendCard {
  /** The URL of the agent or of its card, or a host. */
  readonly reference: string;
  /** Sent with every call to it, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly connection?: ConnectOptions;
}

/**
 * An agent that passes messages on to an agent elsewhere, and tells what that one tells. It has the other's card, and callers, tasks and
 * history of its own.
 */
export async function createGatewayAgent(options: GatewayOptions): Promise<Agent> {
  const { reference, headers, connection } = options;
  const remote = await connect(reference, {
    transports: grpcTransports(),
    ...(headers !== undefined && { headers }),
    ...connection,
  });
  const { card } = remote;
  const { name = card.name, description = card.description } = options;
  return createBackendAgent({ ...describe(card), name, description }, options, (context) =>
    relay(context, remote),
  );
}

/** What of a card is as true of the gateway. How its callers authenticate, and what it can do beside answering, is its own. */
function describe(card: AgentCard) {
  const { version, provider, documentationUrl, iconUrl, skills } = card;
  return {
    version,
    inputModes: card.defaultInputModes.filter(isMediaType),
    outputModes: card.defaultOutputModes.filter(isMediaType),
    skills: skills.map(describeSkill),
    ...(provider !== undefined && { provider }),
    ...(documentationUrl !== undefined && { documentationUrl }),
    ...(iconUrl !== undefined && { iconUrl }),
  };
}

function describeSkill(skill: AgentSkill): AgentSkill {
  const { securityRequirements: _, inputModes, outputModes, ...described } = skill;
  return {
    ...described,
    ...(inputModes !== undefined && { inputModes: inputModes.filter(isMediaType) }),
    ...(outputModes !== undefined && { outputModes: outputModes.filter(isMediaType) }),
  };
}

/** Some cards have words such as `text` in their places. */
function isMediaType(mode: string): boolean {
  return /^[^\s/;,]+\/[^\s/;,]+(\s*;.*)?$/.test(mode);
}
