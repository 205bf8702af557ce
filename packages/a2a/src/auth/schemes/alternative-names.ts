interface AlternativeName {
  readonly kind: string;
  readonly value: string;
}

/**
 * The names in node's text form of `subjectAltName`. Node quotes an ambiguous value as a JSON string. A
 * text that cannot be parsed completely has no names.
 */
export function alternativeNames(text: string): readonly AlternativeName[] {
  const names: AlternativeName[] = [];
  const name = /([^:,"]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/y;
  while (name.lastIndex < text.length) {
    const match = name.exec(text);
    if (match === null) return [];
    const [, kind = "", value = ""] = match;
    names.push({ kind, value: value.startsWith('"') ? unquote(value) : value });
  }
  return names;
}

function unquote(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    return "";
  }
}
