const maxLength = 64;

/** Quotes a caller's words for an error message: shortened, with control characters escaped. */
export function quote(words: string): string {
  return JSON.stringify(words.length > maxLength ? `${words.slice(0, maxLength)}…` : words);
}
