import { bindingRules } from "../binding/internal.js";
import {
  atLeast,
  baseUrl,
  callback,
  either,
  fields,
  flag,
  listOf,
  oneOf,
  rule,
  text,
  timerMs,
} from "../options/internal.js";
import type { Rule, Rules } from "../options/internal.js";
import { normalOrigin } from "./cors.js";
import type { CorsOptions, HttpOptions } from "./http-options.js";

const origin: Rule = rule((value) => {
  const example = 'an origin such as "https://page.example"';
  if (typeof value !== "string") return example;
  if (value === "*" || normalOrigin(value) !== undefined) return undefined;
  if (value.includes("*")) return 'an origin without a wildcard; name each, or allow all with "*"';
  const [, withoutPath] = /^([a-z][\w+.-]*:\/\/[^/?#\s]+)[/?#]/i.exec(value) ?? [];
  if (withoutPath !== undefined) return `an origin without a path: "${withoutPath}"`;
  return /^[\w.-]+(?::\d+)?$/.test(value)
    ? `an origin with its scheme: "https://${value}"`
    : example;
});

const origins: Rule = listOf(origin, '"*" or a list of origins, such as ["https://page.example"]');

const cors: Rules<CorsOptions> = {
  origins: either((value) => value === "*", origins),
  credentials: flag,
};

/** What a server over HTTP may be given. */
export const httpRules: Rules<HttpOptions> = {
  ...bindingRules,
  heartbeatMs: timerMs(1),
  streamErrors: oneOf("json", "events"),
  publicUrl: baseUrl,
  allowsHost: callback,
  grpcAddress: text(
    'an address, such as "agents.example.com:4101" or "https://agents.example.com:4101"',
  ),
  cors: fields(cors, ["origins"], 'an object such as { origins: ["https://page.example"] }'),
  maxBodyBytesInFlight: atLeast(1),
  cardMaxAgeSeconds: atLeast(0),
  signCard: callback,
  publicKeys: callback,
};
