import { stringify } from "yaml";

/** What templates see as `.` and `$`. */
export type Scope = Readonly<Record<string, unknown>>;

type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "action"; readonly words: string };

type Item =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly pipeline: string }
  | ({ readonly kind: "block"; readonly verb: Verb; readonly pipeline: string } & Branches);

interface Branches {
  readonly body: readonly Item[];
  readonly otherwise: readonly Item[];
}

type Verb = "if" | "with" | "range";

/**
 * Renders the part of Helm's language that the chart uses: if, else, with, range, define, include, and the functions below.
 * Throws for everything else, and for a value that is not there, which Helm would leave empty.
 */
export class Renderer {
  readonly #root: Scope;
  readonly #defined = new Map<string, readonly Item[]>();

  constructor(root: Scope) {
    this.#root = root;
  }

  /** Renders a file. What it defines can be included by files after it. */
  render(source: string): string {
    const reader = new Reader(tokensOf(source), this.#defined);
    return this.#write(reader.readItems([]).items, this.#root);
  }

  #write(items: readonly Item[], dot: unknown): string {
    return items.map((item) => this.#writeItem(item, dot)).join("");
  }

  #writeItem(item: Item, dot: unknown): string {
    if (item.kind === "text") return item.text;
    const value = this.#evaluate(item.pipeline, dot);
    if (item.kind === "value") return String(value);
    const { verb, body, otherwise } = item;
    if (!isTrue(value)) return this.#write(otherwise, dot);
    if (verb === "if") return this.#write(body, dot);
    if (verb === "with") return this.#write(body, value);
    return (value as readonly unknown[]).map((one) => this.#write(body, one)).join("");
  }

  #evaluate(pipeline: string, dot: unknown): unknown {
    let piped: unknown[] = [];
    for (const command of pipeline.match(/(?:"[^"]*"|\([^)]*\)|[^|])+/g) ?? []) {
      const [first = "", ...rest] = command.match(/"[^"]*"|\([^)]*\)|\S+/g) ?? [];
      const given = rest.map((word) => this.#operand(word, dot));
      piped = [
        /^[a-z]/i.test(first) ? this.#call(first, [...given, ...piped]) : this.#operand(first, dot),
      ];
    }
    return piped[0];
  }

  #operand(word: string, dot: unknown): unknown {
    if (word.startsWith('"')) return JSON.parse(word) as string;
    if (word.startsWith("(")) return this.#evaluate(word.slice(1, -1), dot);
    if (/^\d+$/.test(word)) return Number(word);
    const [, root, path = ""] = /^(\$?)((?:\.\w+)*)\.?$/.exec(word) ?? [];
    if (root === undefined) throw new Error(`the renderer does not know ${word}`);
    let value = root === "$" ? this.#root : dot;
    for (const name of path.split(".").slice(1)) {
      value = (value as Scope | undefined)?.[name];
      if (value === undefined) throw new Error(`${word} has no value`);
    }
    return value;
  }

  #call(name: string, given: readonly unknown[]): unknown {
    if (name === "include") {
      const items = this.#defined.get(String(given[0]));
      if (items === undefined) throw new Error(`nothing defines ${String(given[0])}`);
      return this.#write(items, given[1]);
    }
    const call = functions[name];
    if (call === undefined) throw new Error(`the renderer does not know the function ${name}`);
    return call(...given);
  }
}

const functions: Readonly<Record<string, (...given: readonly unknown[]) => unknown>> = {
  add: (...given) => given.reduce<number>((sum, one) => sum + Number(one), 0),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  dict: (...given) =>
    Object.fromEntries(given.flatMap((name, at) => (at % 2 === 0 ? [[name, given[at + 1]]] : []))),
  list: (...given) => given,
  merge: (first, second) => ({ ...(second as Scope), ...(first as Scope) }),
  mul: (...given) => given.reduce<number>((product, one) => product * Number(one), 1),
  nindent: (width, value) => `\n${indent(String(value), Number(width))}`,
  not: (value) => !isTrue(value),
  quote: (value) => JSON.stringify(String(value)),
  toYaml: (value) => stringify(value).trimEnd(),
};

function indent(lines: string, width: number): string {
  return lines.replace(/^/gm, " ".repeat(width));
}

function isTrue(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let isTrimmed = false;
  const addText = (text: string): void => {
    tokens.push({ kind: "text", text: isTrimmed ? text.trimStart() : text });
  };
  for (const { 0: whole, 1: before, 2: words = "", 3: after, index } of source.matchAll(
    /\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs,
  )) {
    const text = source.slice(at, index);
    addText(before === "-" ? text.trimEnd() : text);
    tokens.push({ kind: "action", words });
    at = index + whole.length;
    isTrimmed = after === "-";
  }
  addText(source.slice(at));
  return tokens;
}

/** Puts blocks together from tokens. */
class Reader {
  readonly #tokens: readonly Token[];
  readonly #defined: Map<string, readonly Item[]>;
  #next = 0;

  constructor(tokens: readonly Token[], defined: Map<string, readonly Item[]>) {
    this.#tokens = tokens;
    this.#defined = defined;
  }

  /** Reads up to one of these words, or to the end of the file if there are none. */
  readItems(ends: readonly string[]): { items: readonly Item[]; end: string } {
    const items: Item[] = [];
    for (;;) {
      const token = this.#tokens[this.#next];
      this.#next += 1;
      if (token === undefined) {
        if (ends.length > 0) throw new Error(`${ends.join(" or ")} is missing`);
        return { items, end: "" };
      }
      if (token.kind === "text") {
        items.push(token);
        continue;
      }
      if (ends.includes(token.words)) return { items, end: token.words };
      const item = this.#readAction(token.words);
      if (item !== undefined) items.push(item);
    }
  }

  #readAction(words: string): Item | undefined {
    const [, verb, pipeline = ""] = /^(if|with|range|define|end|else)\b\s*(.*)$/s.exec(words) ?? [];
    if (verb === "end" || verb === "else") throw new Error(`${words} has no beginning`);
    if (verb === "define") {
      this.#defined.set(JSON.parse(pipeline) as string, this.readItems(["end"]).items);
      return undefined;
    }
    if (verb === undefined) return { kind: "value", pipeline: words };
    const { items: body, end } = this.readItems(["end", "else"]);
    const otherwise = end === "else" ? this.readItems(["end"]).items : [];
    return { kind: "block", verb: verb as Verb, pipeline, body, otherwise };
  }
}
