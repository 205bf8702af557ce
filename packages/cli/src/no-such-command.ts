import { commandTable } from "./command-table.js";
import { nearestName } from "./nearest-name.js";
import { UsageError } from "./usage-error.js";

/** The error for words that are no command; it names the command that they are most like. */
export function noSuchCommand(words: readonly string[]): UsageError {
  const names = commandTable.map(({ name }) => name);
  const written = words.join(" ");
  const firstWords = new Set(names.map((name) => name.split(" ")[0] ?? name));
  const meant = nearestName(written, names) ?? nearestName(words[0] ?? "", firstWords);
  if (meant === undefined) return new UsageError(`there is no command ${written}`);
  return new UsageError(`there is no command ${written}; did you mean ${meant}?`, {
    hint: `parley help ${meant}`,
  });
}
