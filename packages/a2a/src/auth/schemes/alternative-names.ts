interface AlternativeName {
  readonly kind: string;
  readonly value: string;
}

/**
 * The names in node's text of `subjectAltName`. A value that could be taken for more than one is quoted
 * there as a JSON string. What cannot be read as a whole is not read at all.
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
