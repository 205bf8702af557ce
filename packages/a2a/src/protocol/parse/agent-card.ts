import type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
} from "../agent-card.js";
import { array, map } from "./collections.js";
import type { Parser } from "./cursor.js";
import { jsonObject } from "./json.js";
import { implicit, object, optional, required } from "./object.js";
import { boolean, string, text } from "./primitives.js";
import { parseSecurityRequirement, parseSecurityScheme } from "./security-scheme.js";

const parseAgentInterface: Parser<AgentInterface> = object<AgentInterface>({
  url: required(text),
  protocolBinding: required(text),
  protocolVersion: required(text),
  tenant: implicit(string),
});

const parseAgentProvider: Parser<AgentProvider> = object<AgentProvider>({
  organization: required(string),
  url: required(string),
});

const parseAgentExtension: Parser<AgentExtension> = object<AgentExtension>({
  uri: required(text),
  description: implicit(string),
  required: implicit(boolean),
  params: optional(jsonObject),
});

export const parseAgentCapabilities: Parser<AgentCapabilities> = object<AgentCapabilities>({
  streaming: optional(boolean),
  pushNotifications: optional(boolean),
  extendedAgentCard: optional(boolean),
  stateTransitionHistory: optional(boolean),
  extensions: implicit(array(parseAgentExtension)),
});

const parseAgentSkill: Parser<AgentSkill> = object<AgentSkill>({
  id: required(text),
  name: required(string),
  description: required(string),
  tags: required(array(string)),
  examples: implicit(array(string)),
  inputModes: implicit(array(string)),
  outputModes: implicit(array(string)),
  securityRequirements: implicit(array(parseSecurityRequirement)),
});

export const parseAgentCardSignature: Parser<AgentCardSignature> = object<AgentCardSignature>({
  protected: required(text),
  signature: required(text),
  header: optional(jsonObject),
});

/** A card in the model's own form. Its lists may be empty: an agent without skills is valid. */
export const parseAgentCard: Parser<AgentCard> = object<AgentCard>({
  name: required(string),
  description: required(string),
  version: required(string),
  supportedInterfaces: required(array(parseAgentInterface)),
  capabilities: required(parseAgentCapabilities),
  defaultInputModes: required(array(string)),
  defaultOutputModes: required(array(string)),
  skills: required(array(parseAgentSkill)),
  provider: optional(parseAgentProvider),
  documentationUrl: optional(string),
  iconUrl: optional(string),
  securitySchemes: optional(map(parseSecurityScheme)),
  securityRequirements: implicit(array(parseSecurityRequirement)),
  signatures: implicit(array(parseAgentCardSignature)),
});
