import type { ProtocolVersion } from "@parley/a2a";
import type { Binding, ConnectionRequest, SecretInput } from "../../contract/index.js";
import { isObject, optionalOneOf, optionalTexts, textOf } from "../http/read-json.js";
import type { JsonBody } from "../http/read-json.js";
import { badField } from "../http/refusal.js";

export const versions: readonly ProtocolVersion[] = ["0.1", "0.2", "0.3", "1.0"];
export const bindings: readonly Binding[] = ["JSONRPC", "HTTP+JSON", "GRPC"];

/** Reads the body of `POST connections`. */
export function parseConnectionRequest(body: JsonBody): ConnectionRequest {
  const version = optionalOneOf(body, "version", versions);
  const binding = optionalOneOf(body, "binding", bindings);
  const headers = optionalTexts(body, "headers");
  const secrets = parseSecrets(body["secrets"]);
  for (const [name, value] of Object.entries(headers ?? {})) checkHeader(name, value);
  return {
    url: textOf(body, "url"),
    ...(version !== undefined && { version }),
    ...(binding !== undefined && { binding }),
    ...(headers !== undefined && { headers }),
    ...(secrets !== undefined && { secrets }),
  };
}

function checkHeader(name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    throw badField(`headers.${name}`, "is no header that can be sent");
  }
}

function parseSecrets(value: unknown): Readonly<Record<string, SecretInput>> | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value) || Object.keys(value).length > 32) {
    throw badField("secrets", "has to be an object of at most 32 secrets, by the names of schemes");
  }
  for (const [name, one] of Object.entries(value)) {
    const isText = (given: unknown): boolean =>
      typeof given === "string" && given !== "" && given.length <= 16_384;
    const isSecret = isObject(one) && (isText(one["value"]) || isText(one["env"]));
    if (!isSecret) throw badField(`secrets.${name}`, 'has to be { "value": … } or { "env": … }');
  }
  return value as Readonly<Record<string, SecretInput>>;
}

/** The secrets themselves, by the names of schemes. */
export function resolveSecrets(
  secrets: Readonly<Record<string, SecretInput>> = {},
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, secret]) => {
      if ("value" in secret) return [name, secret.value];
      const value = environment[secret.env];
      if (value === undefined || value === "") {
        const words = `names ${secret.env}, which the environment of the inspector does not have`;
        throw badField(`secrets.${name}`, words);
      }
      return [name, value];
    }),
  );
}
