import { Lexer } from "marked";
import type { Token } from "marked";

/** Splits Markdown into tokens. A file of its own, so that the library is loaded with the first text. */
export function lex(text: string): readonly Token[] {
  return new Lexer({ gfm: true, breaks: true }).lex(text);
}
