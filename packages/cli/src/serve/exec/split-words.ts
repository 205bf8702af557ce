import { UsageError } from "../../usage-error.js";

/** What a shell would do something with, and this does not. */
const shellSigns = new Set("|&;<>()$`\n");

/**
 * Splits a command into words as a shell does: at spaces, with '…', "…" and \ around what belongs together. Nothing is
 * expanded. Signs that a shell would act on are refused, because the program would get them as they are.
 */
export function splitWords(command: string, option: string): readonly string[] {
  const refuse = (problem: string): UsageError =>
    new UsageError(`${option} ${problem}`, { hint: "parley help serve" });
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at += 1) {
    const sign = command.charAt(at);
    if (/\s/.test(sign) && sign !== "\n") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (sign === "'") {
      const end = command.indexOf("'", at + 1);
      if (end === -1) throw refuse("has a ' that is not closed");
      word = (word ?? "") + command.slice(at + 1, end);
      at = end;
    } else if (sign === '"') {
      word ??= "";
      for (at += 1; command.charAt(at) !== '"'; at += 1) {
        if (at >= command.length) throw refuse('has a " that is not closed');
        if (command.charAt(at) === "\\" && /["\\$`]/.test(command.charAt(at + 1))) at += 1;
        else if (/[$`]/.test(command.charAt(at))) throw refuse(noShell(command.charAt(at)));
        word += command.charAt(at);
      }
    } else if (sign === "\\" && at + 1 < command.length) {
      at += 1;
      word = (word ?? "") + command.charAt(at);
    } else if (shellSigns.has(sign)) {
      throw refuse(noShell(sign));
    } else {
      word = (word ?? "") + sign;
    }
  }
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw refuse('is empty; give a program, such as "python agent.py"');
  return words;
}

function noShell(sign: string): string {
  const shown = sign === "\n" ? "a line break" : sign;
  return `has ${shown}, and no shell reads it; put it into quotes, or write sh -c '…'`;
}
