const maxLength = 64;

/** Words of the caller for a message: in quotes, shortened, control characters escaped. */
export function quote(words: string): string {
  return JSON.stringify(words.length > maxLength ? `${words.slice(0, maxLength)}…` : words);
}
