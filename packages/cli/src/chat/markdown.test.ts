import { expect, test } from "vitest";
import { MarkdownLines } from "./markdown.js";

/** Lines as a terminal shows them, with the sequences in words. */
function render(...lines: string[]): string[] {
  const markdown = new MarkdownLines();
  const names: Record<string, string> = { 1: "bold", 2: "dim", 3: "italic", 4: "line", 36: "code" };
  return lines.map((line) =>
    markdown
      .render(line)
      .replaceAll(/\p{Cc}\[(\d+)m/gu, (_, code: string) => `<${names[code] ?? "/"}>`),
  );
}

test("renders headings, emphasis, code, lists, quotes and links", () => {
  expect(
    render(
      "## Title ##",
      "**b** and *i* and `**c**`",
      "- item",
      "> said",
      "[a](https://b.example)",
      "2 * 3 * 4",
    ),
  ).toEqual([
    "<bold>Title</>",
    "<bold>b</> and <italic>i</> and <code>**c**</>",
    "• item",
    "<dim>│</> said",
    "a (<line>https://b.example</>)",
    "2 * 3 * 4",
  ]);
});

test("leaves code between fences as it is written", () => {
  expect(render("```ts", "- **x**", "```", "- x")).toEqual([
    "<dim>```ts</>",
    "<code>- **x**</>",
    "<dim>```</>",
    "• x",
  ]);
});
