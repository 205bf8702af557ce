import fc from "fast-check";
import type {
  AgentCapabilities,
  AgentCard,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  JsonObject,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from "../../../src/protocol/internal.js";

/** Optional members are absent rather than undefined, and never empty where empty means absent. */
function record<T>(
  model: { [K in keyof T]-?: fc.Arbitrary<T[K]> },
  requiredKeys: (keyof T)[],
): fc.Arbitrary<T> {
  return fc.record(model, { requiredKeys }) as fc.Arbitrary<T>;
}

const words = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" });
const names = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,7}$/);
const urls = fc.stringMatching(/^[a-z]{1,6}$/).map((host) => `https://${host}.example/a2a`);
const lists = fc.array(words, { minLength: 1, maxLength: 3 });
const modes = fc.array(fc.constantFrom("text/plain", "application/json", "image/png"), {
  maxLength: 3,
});
const scopes = fc.dictionary(names, words, { maxKeys: 2 });
const filledScopes = fc.dictionary(names, words, { minKeys: 1, maxKeys: 2 });

const flows: fc.Arbitrary<OAuthFlows> = fc.oneof(
  fc.record({
    authorizationCode: record(
      {
        authorizationUrl: urls,
        tokenUrl: urls,
        refreshUrl: urls,
        scopes,
        pkceRequired: fc.constant(true),
      },
      ["authorizationUrl", "tokenUrl", "scopes"],
    ),
  }),
  fc.record({
    clientCredentials: record({ tokenUrl: urls, refreshUrl: urls, scopes }, ["tokenUrl", "scopes"]),
  }),
  fc.record({
    implicit: record({ authorizationUrl: urls, refreshUrl: urls, scopes: filledScopes }, []),
  }),
  fc.record({ password: record({ tokenUrl: urls, refreshUrl: urls, scopes: filledScopes }, []) }),
  fc.record({
    deviceCode: record({ deviceAuthorizationUrl: urls, tokenUrl: urls, refreshUrl: urls, scopes }, [
      "deviceAuthorizationUrl",
      "tokenUrl",
      "scopes",
    ]),
  }),
  fc.constant({}),
);

const schemes: fc.Arbitrary<SecurityScheme> = fc.oneof(
  fc.record({
    apiKeySecurityScheme: record(
      {
        location: fc.constantFrom("header" as const, "query" as const, "cookie" as const),
        name: names,
        description: words,
      },
      ["location", "name"],
    ),
  }),
  fc.record({
    httpAuthSecurityScheme: record({ scheme: names, bearerFormat: words, description: words }, [
      "scheme",
    ]),
  }),
  fc.record({
    oauth2SecurityScheme: record({ flows, oauth2MetadataUrl: urls, description: words }, ["flows"]),
  }),
  fc.record({
    openIdConnectSecurityScheme: record({ openIdConnectUrl: urls, description: words }, [
      "openIdConnectUrl",
    ]),
  }),
  fc.record({ mtlsSecurityScheme: record({ description: words }, []) }),
) as fc.Arbitrary<SecurityScheme>;

const schemeNames = ["a", "b", "c"] as const;

const requirements: fc.Arbitrary<readonly SecurityRequirement[]> = fc.array(
  fc.record({
    schemes: fc.dictionary(fc.constantFrom(...schemeNames), record({ list: lists }, []), {
      maxKeys: 2,
    }),
  }),
  { minLength: 1, maxLength: 3 },
);

const interfaces: fc.Arbitrary<AgentInterface> = record(
  {
    url: urls,
    protocolBinding: fc.constantFrom("JSONRPC", "HTTP+JSON", "GRPC", "https://b.example/ws"),
    protocolVersion: fc.constantFrom("1.0", "0.3", "0.2", "0.1"),
    tenant: words,
  },
  ["url", "protocolBinding", "protocolVersion"],
);

/** What survives JSON text and is not refused for its names. */
const parameters: fc.Arbitrary<JsonObject> = fc
  .dictionary(names, fc.jsonValue({ maxDepth: 2 }))
  .map((value) => JSON.stringify(value))
  .filter((text) => !text.includes("__proto__"))
  .map((text) => JSON.parse(text) as JsonObject);

const capabilities: fc.Arbitrary<AgentCapabilities> = record(
  {
    streaming: fc.boolean(),
    pushNotifications: fc.boolean(),
    extendedAgentCard: fc.boolean(),
    stateTransitionHistory: fc.boolean(),
    extensions: fc.array(
      record(
        {
          uri: urls,
          description: words,
          required: fc.constant(true),
          params: parameters,
        },
        ["uri"],
      ),
      { minLength: 1, maxLength: 2 },
    ),
  },
  [],
);

const skills: fc.Arbitrary<AgentSkill> = record(
  {
    id: names,
    name: words,
    description: words,
    tags: fc.array(words, { maxLength: 2 }),
    examples: lists,
    inputModes: modes.filter((list) => list.length > 0),
    outputModes: modes.filter((list) => list.length > 0),
    securityRequirements: requirements,
  },
  ["id", "name", "description", "tags"],
);

/** Cards of agents that serve at least one interface of 0.3 beside any others. */
export const agentCards: fc.Arbitrary<AgentCard> = record<AgentCard>(
  {
    name: words,
    description: fc.string({ maxLength: 8 }),
    version: words,
    supportedInterfaces: fc
      .tuple(
        fc.array(interfaces, { maxLength: 3 }),
        interfaces.map((one) => ({ ...one, protocolVersion: "0.3" })),
        fc.array(interfaces, { maxLength: 3 }),
      )
      .map(([before, earlier, after]) => [...before, earlier, ...after]),
    capabilities,
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: fc.uniqueArray(skills, { selector: ({ id }) => id, maxLength: 3 }),
    provider: fc.record({ organization: words, url: urls }) as fc.Arbitrary<AgentProvider>,
    documentationUrl: urls,
    iconUrl: urls,
    securitySchemes: fc.dictionary(fc.constantFrom(...schemeNames), schemes, { minKeys: 1 }),
    securityRequirements: requirements,
    signatures: fc.array(fc.record({ protected: names, signature: names }), {
      minLength: 1,
      maxLength: 2,
    }),
  },
  [
    "name",
    "description",
    "version",
    "supportedInterfaces",
    "capabilities",
    "defaultInputModes",
    "defaultOutputModes",
    "skills",
  ],
).map((card) => JSON.parse(JSON.stringify(card)) as AgentCard);
