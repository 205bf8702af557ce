/**
 * Headers of a request by their names in small letters, so that one replaces another however both are written. A plain object costs
 * nothing where `Headers` would make node load all of its fetch.
 */
export type HeaderFields = Record<string, string>;

export function headerFields(headers: Readonly<Record<string, string>> = {}): HeaderFields {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
