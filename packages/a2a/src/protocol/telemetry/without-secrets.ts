/** What may hold a secret, and what is left of it: passwords and queries of URLs, tokens, assignments of secrets. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z\d+.-]{0,31}:\/\/)[^\s/?#@]{0,512}@/giu, "$1…@"],
  [/([a-z][a-z\d+.-]{0,31}:\/\/[^\s?#"'<>]{0,2048})[?#][^\s"'<>)]*/giu, "$1?…"],
  [/\b(bearer|basic|digest|dpop)\s+[\w.~+/=-]{6,}/giu, "$1 …"],
  [
    /\b(password|passwd|pwd|secret|token|api[-_]?key)(["']?\s*[=:]\s*["']?)[^\s"'&,;)]+/giu,
    "$1$2…",
  ],
];

/** How much of one text goes into the log. */
const maxLength = 4096;

/** A text without what may be secret, and without control characters but line ends. */
export function withoutSecrets(text: string): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  const clean = secrets.reduce((rest, [secret, left]) => rest.replaceAll(secret, left), short);
  return clean.replaceAll(/[^\P{Cc}\n\t]/gu, "\uFFFD");
}
