import type { AgentCard, SecurityScheme } from "@parley/a2a";
import { textLine } from "../output/text-form.js";

/** A card as text: who the agent is, what it can do, where it is, and what it asks of callers. */
export function cardText(card: AgentCard): string {
  const { capabilities, provider, securitySchemes = {}, securityRequirements = [] } = card;
  const yes = (flag: boolean | undefined): string => (flag === true ? "yes" : "no");
  return [
    textLine("Name", card.name),
    textLine("Description", card.description),
    textLine("Version", card.version),
    ...(provider === undefined
      ? []
      : [textLine("Provider", `${provider.organization}, ${provider.url}`)]),
    ...(card.documentationUrl === undefined
      ? []
      : [textLine("Documentation", card.documentationUrl)]),
    textLine("Streaming", yes(capabilities.streaming)),
    textLine("Push notifications", yes(capabilities.pushNotifications)),
    textLine("Extended card", yes(capabilities.extendedAgentCard)),
    ...(capabilities.extensions ?? []).map(({ uri, required }) =>
      textLine("Extension", required === true ? `${uri} (required)` : uri),
    ),
    ...card.supportedInterfaces.map(({ protocolBinding, protocolVersion, url, tenant }) =>
      textLine(
        "Interface",
        `${protocolBinding} ${protocolVersion} ${url}${tenant === undefined ? "" : ` (tenant ${tenant})`}`,
      ),
    ),
    textLine("Input modes", card.defaultInputModes.join(", ")),
    textLine("Output modes", card.defaultOutputModes.join(", ")),
    ...Object.entries(securitySchemes).map(([name, scheme]) =>
      textLine("Security scheme", `${name}: ${describeScheme(scheme)}`),
    ),
    ...securityRequirements.map(({ schemes }) =>
      textLine("Requires", Object.keys(schemes).join(" and ") || "nothing"),
    ),
    ...card.skills.map(({ id, description }) => textLine("Skill", `${id}: ${description}`)),
  ].join("");
}

function describeScheme(scheme: SecurityScheme): string {
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http } = scheme;
  if (key !== undefined) return `API key in the ${key.location} ${key.name}`;
  if (http !== undefined) return `HTTP ${http.scheme}`;
  if (scheme.oauth2SecurityScheme !== undefined) {
    return `OAuth 2.0, ${Object.keys(scheme.oauth2SecurityScheme.flows).join(", ")}`;
  }
  if (scheme.openIdConnectSecurityScheme !== undefined) {
    return `OpenID Connect, ${scheme.openIdConnectSecurityScheme.openIdConnectUrl}`;
  }
  return "client certificate";
}
