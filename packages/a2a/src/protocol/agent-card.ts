import type { JsonObject } from "./json.js";
import type { SecurityRequirement, SecurityScheme } from "./security-scheme.js";

/** The bindings the protocol names; any other string is a custom binding (§5.8). */
export type ProtocolBinding = "JSONRPC" | "HTTP+JSON" | "GRPC" | (string & {});

/** One address at which an agent is served, in one binding and one version (§4.4.6). */
export interface AgentInterface {
  readonly url: string;
  readonly protocolBinding: ProtocolBinding;
  /** Major.Minor. */
  readonly protocolVersion: string;
  /** Echoed by clients in every request to this interface. */
  readonly tenant?: string;
}

/** The organization that provides an agent (§4.4.2). */
export interface AgentProvider {
  readonly organization: string;
  readonly url: string;
}

/** A declared extension of the protocol (§4.4.4). */
export interface AgentExtension {
  readonly uri: string;
  readonly description?: string;
  /** The agent refuses calls that do not request the extension. */
  readonly required?: boolean;
  readonly params?: JsonObject;
}

/** What a server offers beyond the core operations (§4.4.3). */
export interface AgentCapabilities {
  readonly streaming?: boolean;
  readonly pushNotifications?: boolean;
  readonly extendedAgentCard?: boolean;
  /**
   * Tasks tell which states they have been in. 1.0 has no such member: cards of 1.0 leave it out and declare
   * the extension `urn:parley:a2a:state-transitions:v1` instead.
   */
  readonly stateTransitionHistory?: boolean;
  readonly extensions?: readonly AgentExtension[];
}

/** One thing an agent can do (§4.4.5). */
export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
  readonly securityRequirements?: readonly SecurityRequirement[];
}

/** A detached JWS over the canonical card (§4.4.7). */
export interface AgentCardSignature {
  readonly protected: string;
  readonly signature: string;
  readonly header?: JsonObject;
}

/** What an agent is, what it can do, and how to reach it (§4.4.1). */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** In order of preference. */
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly capabilities: AgentCapabilities;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  readonly provider?: AgentProvider;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  readonly securityRequirements?: readonly SecurityRequirement[];
  readonly signatures?: readonly AgentCardSignature[];
}
