import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

const root = new URL("../../../../", import.meta.url);

/** A block of code of a page, between two fences. */
export interface Block {
  readonly language: string;
  /** The line of the page on which its code begins. */
  readonly line: number;
  readonly code: string;
}

/** The path of a file of this repository. */
export function pathInRoot(path: string): string {
  return fileURLToPath(new URL(path, root));
}

/** Every page of this repository that people read: at the root, in `docs` and of the packages. */
export function pages(): readonly string[] {
  const inFolder = (folder: string): string[] =>
    readdirSync(pathInRoot(folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}${name}`);
  const readmes = readdirSync(pathInRoot("packages")).map((name) => `packages/${name}/README.md`);
  return [
    ...["", "docs/", "docs/decisions/", "examples/"].flatMap(inFolder),
    ...readmes.filter((path) => existsSync(pathInRoot(path))),
  ];
}

/** The blocks of a page in the order of reading. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(pathInRoot(page), "utf8");
  return Array.from(
    text.matchAll(/^```(\w+)\n(.*?)^```$/gms),
    ({ 1: language, 2: code, index }) => ({
      language: language ?? "",
      line: text.slice(0, index).split("\n").length + 1,
      code: code ?? "",
    }),
  );
}

/**
 * The TypeScript of a page as modules. A block whose first line names a file, `// serve.ts`, is that file. The others
 * are read one after the other, as in a notebook: each sees what those before it import and declare, and may declare
 * a name again. They are named after their line.
 */
export function modulesOf(page: string): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const seen = new Map<string, string>();
  for (const { language, line, code } of blocksOf(page)) {
    if (language !== "ts") continue;
    const file = /^\/\/ (\S+)\.ts\n/.exec(code)?.[1];
    if (file !== undefined) {
      modules.set(file, code);
      continue;
    }
    const name = `line-${line}`;
    const { imports, declared } = namesIn(code);
    const own = new Set([...imports.keys(), ...declared]);
    const earlier = Array.from(seen).filter(([one]) => !own.has(one));
    // Before the first line, so that the compiler counts lines as the block does.
    const before = earlier.map(([, statement]) => statement).join(" ");
    modules.set(name, `${before}${code}export { ${declared.join(", ")} };\n`);
    for (const [one, statement] of imports) seen.set(one, statement);
    for (const one of declared) seen.set(one, `import { ${one} } from "./${name}.js";`);
  }
  return modules;
}

interface Names {
  /** The statement that imports each name alone. */
  readonly imports: ReadonlyMap<string, string>;
  readonly declared: readonly string[];
}

function namesIn(code: string): Names {
  const imports = new Map<string, string>();
  const declared: string[] = [];
  for (const statement of parseAst(`${code}export {};`, { lang: "ts" }).body) {
    if (statement.type === "ImportDeclaration") {
      const from = JSON.stringify(statement.source.value);
      for (const { type, local, ...rest } of statement.specifiers) {
        if (type !== "ImportSpecifier")
          throw new Error(`import { … } is how pages import: ${from}`);
        const original = code.slice(...spanOf((rest as { imported: Span }).imported));
        imports.set(local.name, `import { ${original} as ${local.name} } from ${from};`);
      }
    } else if (statement.type === "VariableDeclaration") {
      declared.push(...statement.declarations.flatMap(({ id }) => namesOf(id)));
    } else if ("id" in statement && statement.id?.type === "Identifier") {
      declared.push(statement.id.name);
    }
  }
  return { imports, declared };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const spanOf = ({ start, end }: Span): [number, number] => [start, end];

type Pattern = Extract<
  ReturnType<typeof parseAst>["body"][number],
  { type: "VariableDeclaration" }
>["declarations"][number]["id"];

/** The names that a pattern binds. */
function namesOf(pattern: Pattern): readonly string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((one) =>
        namesOf(one.type === "RestElement" ? one.argument : one.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((one) =>
        one === null ? [] : namesOf(one.type === "RestElement" ? one.argument : one),
      );
    case "AssignmentPattern":
      return namesOf(pattern.left);
  }
}
