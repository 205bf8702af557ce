import type { AgentCard, SecurityScheme } from "@parley/a2a";

/** The command that gives a caller what the card requires: the first alternative that the tool can meet. */
export function credentialsHint({
  command,
  reference,
  card,
}: {
  readonly command: string;
  readonly reference: string;
  readonly card: AgentCard;
}): string {
  const { securityRequirements = [], securitySchemes = {} } = card;
  const call = `parley ${command} -a ${reference}`;
  for (const { schemes } of securityRequirements) {
    const advice = Object.keys(schemes).map((name) => adviceFor(securitySchemes[name]));
    if (advice.includes(undefined)) continue;
    if (advice.includes("login")) return `parley auth login -a ${reference}`;
    return [call, ...new Set(advice)].join(" ");
  }
  return `parley card get -a ${reference}`;
}

function adviceFor(scheme: SecurityScheme | undefined): string | undefined {
  if (scheme === undefined || scheme.mtlsSecurityScheme !== undefined) return undefined;
  if (scheme.apiKeySecurityScheme !== undefined) return "--api-key KEY";
  if (scheme.httpAuthSecurityScheme !== undefined) return "--bearer TOKEN";
  const flows = scheme.oauth2SecurityScheme?.flows;
  const isOwn =
    flows === undefined || flows.deviceCode !== undefined || flows.clientCredentials !== undefined;
  return isOwn ? "login" : "--bearer TOKEN";
}
