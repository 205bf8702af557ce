import type { AgentCard, SecurityScheme } from "@parley/a2a";
import type { Invocation } from "../options/define-command.js";
import type { ConnectOption } from "./connect-options.js";
import { agentFlags, sameCommand } from "./next-command.js";

const secretOptions = ["bearer", "api-key", "client-cert", "client-key"] as const;

/** The command that gives a caller what the card requires: the first alternative that the tool can meet. */
export function credentialsHint(card: AgentCard, invocation: Invocation<ConnectOption>): string {
  const { securityRequirements = [], securitySchemes = {} } = card;
  const flags = agentFlags(invocation);
  for (const { schemes } of securityRequirements) {
    const advice = Object.keys(schemes).map((name) => adviceFor(securitySchemes[name]));
    if (advice.includes(undefined)) continue;
    if (advice.includes("login")) return `parley auth login${flags}`;
    return sameCommand(invocation, [...new Set(advice)].join(" "), ...secretOptions);
  }
  return `parley card get${flags}`;
}

function adviceFor(scheme: SecurityScheme | undefined): string | undefined {
  if (scheme === undefined) return undefined;
  if (scheme.mtlsSecurityScheme !== undefined) return "--client-cert PATH --client-key PATH";
  if (scheme.apiKeySecurityScheme !== undefined) return "--api-key KEY";
  if (scheme.httpAuthSecurityScheme !== undefined) return "--bearer TOKEN";
  const flows = scheme.oauth2SecurityScheme?.flows;
  const isOwn =
    flows === undefined || flows.deviceCode !== undefined || flows.clientCredentials !== undefined;
  return isOwn ? "login" : "--bearer TOKEN";
}
