import type { Token, Tokens } from "marked";
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { SafeLink } from "../ui/index.js";

type Lexer = (text: string) => readonly Token[];

/** Longer texts are shown as they are: reading them as Markdown again with every chunk would hold up the page. */
const longest = 60_000;

let loaded: Lexer | undefined;

/**
 * What an agent has written, as Markdown. Tokens become nodes; HTML in it is text. What cannot be read, such as three
 * thousand nested quotes, is shown as it is.
 */
export function Markdown({ text }: { readonly text: string }): ComponentChild {
  const [lexer, setLexer] = useState<Lexer | undefined>(() => loaded);
  useEffect(() => {
    if (lexer !== undefined) return;
    void import("./markdown-lexer.js").then(({ lex }) => {
      loaded = lex;
      setLexer(() => lex);
    });
  }, [lexer]);
  const nodes = useMemo(() => {
    if (lexer === undefined || text.length > longest) return undefined;
    try {
      return blocks(lexer(text));
    } catch {
      return undefined;
    }
  }, [lexer, text]);
  return nodes === undefined ? <LongText text={text} /> : <div class="prose">{nodes}</div>;
}

/** Text as it is, a stretch at a time. */
export function LongText({ text }: { readonly text: string }): ComponentChild {
  const [shown, setShown] = useState(longest);
  return (
    <div class="prose prose-plain">
      {text.length > shown ? text.slice(0, shown) : text}
      {text.length > shown ? (
        <p>
          <button type="button" class="json-more" onClick={() => setShown(shown + longest)}>
            +{(text.length - shown).toLocaleString("en")} characters
          </button>
        </p>
      ) : null}
    </div>
  );
}

function blocks(tokens: readonly Token[]): ComponentChild[] {
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function Block({ token }: { readonly token: Token }): ComponentChild {
  switch (token.type) {
    case "heading":
      return <p class="prose-heading">{inline((token as Tokens.Heading).tokens)}</p>;
    case "paragraph":
      return <p>{inline((token as Tokens.Paragraph).tokens)}</p>;
    case "code":
      return (
        <pre class="code" tabIndex={0}>
          {(token as Tokens.Code).text}
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens)}</blockquote>;
    case "list":
      return <List token={token as Tokens.List} />;
    case "table":
      return <Table token={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    case "text":
      return <>{inline((token as Tokens.Text).tokens ?? [token])}</>;
    default:
      return <p>{token.raw}</p>;
  }
}

function List({ token }: { readonly token: Tokens.List }): ComponentChild {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task ? (
        <input type="checkbox" disabled checked={item.checked === true} aria-label="Done" />
      ) : null}
      {blocks(item.tokens.filter(({ type }) => type !== "checkbox"))}
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === "" ? 1 : token.start}>{items}</ol>;
}

function Table({ token }: { readonly token: Tokens.Table }): ComponentChild {
  return (
    <div class="prose-table" tabIndex={0} role="group" aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index}>{inline(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[]): ComponentChild[] {
  return tokens.map((token, index) => <Inline key={index} token={token} />);
}

function Inline({ token }: { readonly token: Token }): ComponentChild {
  switch (token.type) {
    case "strong":
      return <strong>{inline((token as Tokens.Strong).tokens)}</strong>;
    case "em":
      return <em>{inline((token as Tokens.Em).tokens)}</em>;
    case "del":
      return <del>{inline((token as Tokens.Del).tokens)}</del>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link": {
      const { href, tokens } = token as Tokens.Link;
      return <SafeLink url={href}>{inline(tokens)}</SafeLink>;
    }
    case "image": {
      const { href, text } = token as Tokens.Image;
      return <SafeLink url={href}>Image: {text === "" ? href : text}</SafeLink>;
    }
    case "escape":
      return (token as Tokens.Escape).text;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? decodeEntities(text) : <>{inline(tokens)}</>;
    }
    default:
      return token.raw;
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: "\u00a0",
};

/** The lexer leaves entities in text. */
function decodeEntities(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|#39|nbsp);/g,
    (entity, name: string) => entities[name] ?? entity,
  );
}
