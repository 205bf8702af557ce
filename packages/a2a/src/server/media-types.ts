/** What callers write in the place of media types. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["text", "text/plain"],
  ["data", "application/json"],
  ["json", "application/json"],
]);

/** The same for ranges: kinds of parts, and kinds of media types. */
const rangeAliases: ReadonlyMap<string, string> = new Map([
  ["data", "application/json"],
  ["json", "application/json"],
  ["file", "*/*"],
  ["*", "*/*"],
]);

/** A media type as it is compared: they are case-insensitive, and parameters such as a charset do not matter. */
export function mediaTypeOf(written: string): string {
  const name = nameOf(written);
  return aliases.get(name) ?? name;
}

/** Tells whether a caller takes a media type. Takes them all where the caller named none. */
export function createAccepts(modes: readonly string[]): (mediaType: string) => boolean {
  if (modes.length === 0) return acceptsAll;
  return (mediaType) => {
    const asked = mediaTypeOf(mediaType);
    return modes.some((mode) => overlap(rangeOf(mode), asked));
  };
}

const acceptsAll = (): boolean => true;

/** What a caller names, which may be a range: `text` and `text/*` are all kinds of text. */
function rangeOf(written: string): string {
  const name = nameOf(written);
  if (name === "" || name.includes("/")) return name;
  return rangeAliases.get(name) ?? `${name}/*`;
}

/** Whether two media types or ranges have one in common. */
function overlap(one: string, other: string): boolean {
  if (one === other || one === "*/*" || other === "*/*") return one !== "" && other !== "";
  const [kind, subtype] = one.split("/");
  const [otherKind, otherSubtype] = other.split("/");
  return kind === otherKind && (subtype === "*" || otherSubtype === "*");
}

function nameOf(written: string): string {
  const [name = ""] = written.toLowerCase().split(";");
  return name.trim();
}
