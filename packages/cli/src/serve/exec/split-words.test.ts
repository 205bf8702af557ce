import { describe, expect, it } from "vitest";
import { splitWords } from "./split-words.js";

describe("a command", () => {
  it.each<[string, readonly string[]]>([
    ["python agent.py", ["python", "agent.py"]],
    ["  a\t b  ", ["a", "b"]],
    [`sh -c 'echo "$HOME" | wc'`, ["sh", "-c", 'echo "$HOME" | wc']],
    [`a "b c" d`, ["a", "b c", "d"]],
    [`a "say \\"hi\\" \\n"`, ["a", 'say "hi" \\n']],
    [`a b\\ c\\'d`, ["a", "b c'd"]],
    [`a '' ""`, ["a", "", ""]],
    [`a b'c'"d"e`, ["a", "bcde"]],
    [`a "\\$5"`, ["a", "$5"]],
    ["a *.txt ~", ["a", "*.txt", "~"]],
    ["a 'b\nc'", ["a", "b\nc"]],
  ])("%s becomes the words that a shell makes of it", (command, words) => {
    expect(splitWords(command, "--exec")).toEqual(words);
  });

  it.each([
    ["a | b", "--exec has |, and no shell reads it"],
    ["a > b", "has >"],
    ["a && b", "has &"],
    ["a $HOME", "has $"],
    [`a "$HOME"`, "has $"],
    ["a `b`", "has `"],
    ["a\nb", "has a line break"],
    ["a 'b", "has a ' that is not closed"],
    ['a "b', 'has a " that is not closed'],
    [" ", "is empty"],
  ])("%s is refused, with what to write", (command, problem) => {
    expect(() => splitWords(command, "--exec")).toThrow(problem);
  });
});
