import type { AgentCard } from "@parley/a2a";

const shown = "[redacted]";

const secretHeaders =
  /^(?:authorization|proxy-authorization|www-authenticate-info|cookie|set-cookie|.*(?:api-?key|token|secret|password|credential).*)$/i;

/** Members of JSON and of forms that hold secrets, whatever document they are in. A text that was cut may end in one. */
const secretMembers =
  /("(?:access_token|refresh_token|id_token|client_secret|client_assertion|device_code|token|credentials|password)"\s*:\s*")(?:[^"\\]|\\.)*(?:"|\\?$)/g;
const secretFields =
  /\b((?:access_token|id_token|client_secret|client_assertion|assertion|refresh_token|device_code|code_verifier|password)=)[^&\s"]*/g;

/** Removes secrets from what is shown of a call. */
export interface Redactor {
  /** A text without its secrets. Where the text was cut in the middle of one, its first half goes too. */
  text(text: string): string;
  header(name: string, value: string): string;
}

/** Where callers put their secrets, by the schemes of a card. */
export interface SecretPlaces {
  readonly headers: readonly string[];
  readonly parameters: readonly string[];
}

/** Fewer characters are no secret, and no half of one. */
const shortest = 4;

const nowhere: SecretPlaces = { headers: [], parameters: [] };

/**
 * Creates a redactor that removes the given secrets wherever they are, and what is secret by its name or by its place.
 */
export function createRedactor(
  secrets: readonly string[],
  places: SecretPlaces = nowhere,
): Redactor {
  // A shorter secret would make holes in everything.
  const known = new Set(
    secrets
      .filter((one) => one.length >= shortest)
      .flatMap((one) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)]),
  );
  const headers = new Set(places.headers.map((one) => one.toLowerCase()));
  const parameters = places.parameters.map(
    (name) => new RegExp(`([?&]${escaped(name)}=)[^&#\\s"]*`, "g"),
  );
  const text = (given: string): string => {
    const whole = [...known].reduce((one, secret) => one.replaceAll(secret, shown), given);
    const rest = withoutHalf(whole, known)
      .replaceAll(secretMembers, `$1${shown}"`)
      .replaceAll(secretFields, `$1${shown}`);
    return parameters.reduce((one, place) => one.replaceAll(place, `$1${shown}`), rest);
  };
  return {
    text,
    header: (name, value) =>
      secretHeaders.test(name) || headers.has(name.toLowerCase()) ? shown : text(value),
  };
}

/** Where callers of an agent put their secrets. */
export function secretPlacesOf({ securitySchemes = {} }: AgentCard): SecretPlaces {
  const keys = Object.values(securitySchemes).flatMap(({ apiKeySecurityScheme: key }) => key ?? []);
  const at = (location: string): readonly string[] =>
    keys.filter((one) => one.location === location).map(({ name }) => name);
  return { headers: at("header"), parameters: at("query") };
}

/** A text without the beginning of a secret at its end. A cut in the middle of a character leaves a sign of its own there. */
function withoutHalf(text: string, secrets: ReadonlySet<string>): string {
  const end = text.replace(/\uFFFD{1,3}$/, "");
  let half = 0;
  for (const secret of secrets) {
    const begin = secret.slice(0, shortest);
    let at = end.indexOf(begin, Math.max(0, end.length - secret.length + 1));
    while (at !== -1 && !secret.startsWith(end.slice(at))) at = end.indexOf(begin, at + 1);
    if (at !== -1) half = Math.max(half, end.length - at);
  }
  return half === 0 ? text : `${end.slice(0, -half)}${shown}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
