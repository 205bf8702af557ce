const shown = "[redacted]";

const secretHeaders =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|.*(?:api-?key|token|secret).*)$/i;

/** Members of JSON and of forms that hold secrets, whatever document they are in. */
const secretMembers =
  /("(?:access_token|refresh_token|id_token|client_secret|device_code|token|credentials|password)"\s*:\s*")((?:[^"\\]|\\.)*)"/g;
const secretFields = /\b((?:client_secret|refresh_token|device_code|password)=)[^&\s]*/g;

/** Removes secrets from what is shown of a call. */
export interface Redactor {
  text(text: string): string;
  header(name: string, value: string): string;
}

/** Creates a redactor that removes the given secrets wherever they are, and what is secret by its name. */
export function createRedactor(secrets: readonly string[]): Redactor {
  // A short secret would make holes in everything.
  const known = secrets
    .filter((one) => one.length >= 4)
    .flatMap((one) => [one, encodeURIComponent(one)]);
  const text = (given: string): string =>
    [...new Set(known)]
      .reduce((rest, secret) => rest.replaceAll(secret, shown), given)
      .replaceAll(secretMembers, `$1${shown}"`)
      .replaceAll(secretFields, `$1${shown}`);
  return {
    text,
    header: (name, value) => (secretHeaders.test(name) ? shown : text(value)),
  };
}
