import type {
  AuthorizationCodeOAuthFlow,
  ClientCredentialsOAuthFlow,
  DeviceCodeOAuthFlow,
  ImplicitOAuthFlow,
  OAuthFlows,
  OAuthFlowsByName,
  PasswordOAuthFlow,
  SecurityRequirement,
  SecurityScheme,
  StringList,
} from "../../protocol/internal.js";
import {
  boolean,
  implicit,
  isJsonObject,
  map,
  object,
  optional,
  required,
  string,
  text,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { reserveName } from "../members/reserve-name.js";

const scopes = optional(map(string));
const refreshUrl = implicit(string);

const flowMembers = object<OAuthFlows>({
  authorizationCode: optional(
    withScopes(
      object<AuthorizationCodeOAuthFlow>({
        authorizationUrl: required(text),
        tokenUrl: required(text),
        refreshUrl,
        scopes,
        pkceRequired: implicit(boolean),
      }),
    ),
  ),
  clientCredentials: optional(
    withScopes(
      object<ClientCredentialsOAuthFlow>({
        tokenUrl: required(text),
        refreshUrl,
        scopes,
      }),
    ),
  ),
  implicit: optional(
    withoutEmptyScopes(
      object<ImplicitOAuthFlow>({
        authorizationUrl: implicit(string),
        refreshUrl,
        scopes,
      }),
    ),
  ),
  password: optional(
    withoutEmptyScopes(
      object<PasswordOAuthFlow>({
        tokenUrl: implicit(string),
        refreshUrl,
        scopes,
      }),
    ),
  ),
  deviceCode: optional(
    withScopes(
      object<DeviceCodeOAuthFlow>({
        deviceAuthorizationUrl: required(text),
        tokenUrl: required(text),
        refreshUrl,
        scopes,
      }),
    ),
  ),
});

/** Decodes the flows of a scheme. Every form but the model's may have several. */
export function decodeOAuthFlows(value: unknown, cursor: Cursor): OAuthFlows {
  return flowMembers(unwrapCase(value, "flow"), cursor);
}

/** Turns the oneof of some peers, `{"scheme":{"$case":"x","value":{}}}`, into `{"x":{}}`. */
export function unwrapCase(value: unknown, oneof: string): unknown {
  const wrapper = isJsonObject(value) ? value[oneof] : undefined;
  if (!isJsonObject(wrapper) || typeof wrapper["$case"] !== "string") return value;
  return { [wrapper["$case"]]: wrapper["value"] };
}

/** Schemes with one flow each, and how they replace the given ones. */
interface SplitSchemes {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** The names of the schemes that a given scheme was split into. */
  readonly alternatives: ReadonlyMap<string, readonly string[]>;
}

const flowNames: readonly (keyof OAuthFlowsByName)[] = [
  "authorizationCode",
  "clientCredentials",
  "implicit",
  "password",
  "deviceCode",
];

/**
 * Splits schemes so that each has one OAuth flow, as the model wants. The first flow keeps the scheme's
 * name; the others add the name of the flow to it.
 */
export function splitOAuthFlows(given: Readonly<Record<string, SecurityScheme>>): SplitSchemes {
  const taken = new Set<string | undefined>(Object.keys(given));
  const alternatives = new Map<string, readonly string[]>();
  const entries = Object.entries(given).flatMap(([name, scheme]): [string, SecurityScheme][] => {
    const oauth2 = scheme.oauth2SecurityScheme;
    const present = flowNames.filter((flow) => oauth2?.flows[flow] !== undefined);
    if (oauth2 === undefined || present.length < 2) return [[name, scheme]];
    const split = present.map((flow, index): [string, SecurityScheme] => [
      index === 0 ? name : reserveName(`${name}-${flow}`, taken),
      { oauth2SecurityScheme: { ...oauth2, flows: { [flow]: oauth2.flows[flow] } } },
    ]);
    alternatives.set(
      name,
      split.map(([splitName]) => splitName),
    );
    return split;
  });
  return { schemes: Object.fromEntries(entries), alternatives };
}

/** A limit, because a requirement multiplies with every split scheme that it names. */
const maxAlternatives = 64;

/** Repeats each requirement for every way to satisfy it with the split schemes. */
export function expandRequirements(
  requirements: readonly SecurityRequirement[],
  { alternatives }: Pick<SplitSchemes, "alternatives">,
  cursor: Cursor,
): readonly SecurityRequirement[] {
  return requirements.flatMap(({ schemes }) => {
    let combinations: [string, StringList][][] = [[]];
    for (const [name, list] of Object.entries(schemes)) {
      const names = alternatives.get(name) ?? [name];
      if (combinations.length * names.length > maxAlternatives) {
        cursor.fail(`expected at most ${maxAlternatives} ways to satisfy a security requirement`);
      }
      combinations = combinations.flatMap((combination) =>
        names.map((one): [string, StringList][] => [...combination, [one, list]]),
      );
    }
    return combinations.map((combination) => ({ schemes: Object.fromEntries(combination) }));
  });
}

/** Adds empty scopes where a flow has none, because the model requires them. */
function withScopes<T extends { readonly scopes: Readonly<Record<string, string>> }>(
  parse: Parser<T>,
): Parser<T> {
  return (value, cursor) => {
    const flow = parse(value, cursor);
    return Object.hasOwn(flow, "scopes") ? flow : { ...flow, scopes: {} };
  };
}

function withoutEmptyScopes<T extends { readonly scopes?: Readonly<Record<string, string>> }>(
  parse: Parser<T>,
): Parser<T> {
  return (value, cursor) => {
    const flow = parse(value, cursor);
    if (flow.scopes === undefined || Object.keys(flow.scopes).length > 0) return flow;
    const { scopes: _, ...rest } = flow;
    return rest as T;
  };
}
