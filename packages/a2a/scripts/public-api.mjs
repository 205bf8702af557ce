/**
 * Reads the public API: for every entry of the exports map its names, in the groups of its `index.ts`, each with what
 * the compiled declarations say of it. TypeScript 7 has no API for tools, so the declarations are read as text; that
 * works because an `index.ts` holds nothing but explicit re-exports.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const thisPackage = fileURLToPath(new URL("../", import.meta.url));

/** What the package imports by names of its own, such as `#platform-fetch`. */
const { imports: importedAs } = JSON.parse(readFileSync(join(thisPackage, "package.json"), "utf8"));

/**
 * @typedef {object} PublicName
 * @property {string} name
 * @property {boolean} isType whether it is exported as a type only
 * @property {string} declaredIn the file and the name of its declaration
 * @property {string} signature one line of TypeScript
 * @property {string[]} hidden the types in what it returns that no entry exports
 * @property {string} sentence the first sentence of its comment; empty without one
 * @property {readonly Member[]} members of an interface or a class, with those it has from types that no entry exports
 * @property {readonly string[]} parents the public types that an interface or a class extends
 *
 * @typedef {object} Member
 * @property {string} signature one line of TypeScript
 * @property {string} sentence the first sentence of its comment, and its default; empty without one
 *
 * @typedef {object} Entry
 * @property {string} subpath as in the exports map, such as `./client`
 * @property {string} specifier as it is imported, such as `@parley/a2a/client`
 * @property {string} paragraph what the entry is for
 * @property {readonly { title: string, names: PublicName[] }[]} groups
 */

/**
 * @param {string} packageFolder a package that is compiled from `src` to `dist`
 * @returns {Entry[]} the entries in the order of the exports map
 */
export function readPublicApi(packageFolder = thisPackage) {
  const entries = readEntries(packageFolder);
  const published = new Set(
    entries.flatMap(({ groups }) =>
      groups.flatMap(({ names }) => names.map((one) => one.declaredIn)),
    ),
  );
  const complete = ({ declaration, ...one }) => ({
    ...one,
    signature: signatureOf(declaration, { published, isType: one.isType }),
    hidden: hiddenResults(declaration, published),
    members: membersOf(declaration, { published, isType: one.isType }),
    parents: parentsOf(declaration).filter(
      (parent) => hiddenIn(declaration.file, parent, published).length === 0,
    ),
  });
  return entries.map((entry) => ({
    ...entry,
    groups: entry.groups.map(({ title, names }) => ({ title, names: names.map(complete) })),
  }));
}

function readEntries(packageFolder) {
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  return Object.entries(manifest.exports)
    .map(([subpath, target]) => [subpath, target.default ?? target])
    .filter(([, file]) => file.endsWith(".js"))
    .map(([subpath, file]) => {
      const declarations = join(packageFolder, file.replace(/\.js$/, ".d.ts"));
      const source = file.replace("./dist/", "src/").replace(/\.js$/, ".ts");
      return {
        subpath,
        specifier: `${manifest.name}${subpath.slice(1)}`,
        ...readEntry(readFileSync(join(packageFolder, source), "utf8"), declarations),
      };
    });
}

/** The names of an `index.ts`, in its groups, which begin with a line such as `// Write an agent`. */
function readEntry(source, declarations) {
  const exported = reExportsOf(readText(declarations));
  const groups = [];
  let title = "";
  for (const [line, comment, names] of source.matchAll(
    /^\/\/ (.*)$|^export (?:type )?\{([^}]*)\}/gm,
  )) {
    if (line.startsWith("//")) {
      title = comment;
      continue;
    }
    if (groups.at(-1)?.title !== title) groups.push({ title, names: [] });
    for (const { name } of namesOf(names)) {
      const found = exported.get(name);
      if (found === undefined) throw new Error(`${declarations} lacks ${name}: build first`);
      groups
        .at(-1)
        .names.push({ name, isType: found.isType, ...findDeclaration(declarations, name) });
    }
  }
  const count = groups.reduce((sum, { names }) => sum + names.length, 0);
  if (count !== exported.size) throw new Error(`${declarations} has other names: build first`);
  return { paragraph: commentBefore(source, source.indexOf("*/") + 3).trim(), groups };
}

/** What a declaration file passes on from other files, by name. */
function reExportsOf(text) {
  const found = new Map();
  for (const [, type, names, from] of text.matchAll(
    /^export (type )?\{([^}]*)\}(?: from "([^"]+)")?;/gm,
  )) {
    for (const { name, original, isType } of namesOf(names)) {
      found.set(name, { original, from, isType: isType || type !== undefined });
    }
  }
  return found;
}

function namesOf(list) {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => {
      const [original, name = original] = item.replace(/^type /, "").split(" as ");
      return { name, original, isType: item.startsWith("type ") };
    });
}

/** Follows a name through re-exports to its declaration. */
function findDeclaration(file, name) {
  const text = readText(file);
  const declaration = new RegExp(
    `^(?:export )?(?:declare )?(?:abstract )?(function|class|interface|type|const) ${name}\\b`,
    "m",
  ).exec(text);
  if (declaration !== null) {
    const kind = declaration[1];
    return {
      declaredIn: `${file}#${name}`,
      declaration: {
        file,
        kind,
        name,
        text: headOf(text.slice(declaration.index), kind),
        body: bodyOf(text.slice(declaration.index), kind),
      },
      sentence: firstSentence(commentBefore(text, declaration.index)),
    };
  }
  const { original, from } = reExportsOf(text).get(name) ?? {};
  if (from === undefined) throw new Error(`${file} does not declare ${name}`);
  return findDeclaration(besides(file, from), original);
}

/** A declaration on one line, without the members of an interface or a class. */
function headOf(text, kind) {
  const end = kind === "interface" || kind === "class" ? "{" : ";";
  return oneLine(text.slice(0, indexAtTop(text, end))).replace(/^(?:export )?(?:declare )?/, "");
}

/** What an interface or a class has between its braces. */
function bodyOf(text, kind) {
  if (kind !== "interface" && kind !== "class") return "";
  const body = text.slice(indexAtTop(text, "{") + 1);
  return body.slice(0, indexAtTop(withoutComments(body), "}"));
}

/** The text with spaces in place of comments, so that what is found is at the same place in both. */
function withoutComments(text) {
  return text.replace(/\/\*[^]*?\*\//g, (comment) => " ".repeat(comment.length));
}

/** The members of an interface or a class, and those of the types that it extends and no entry exports. */
function membersOf(declaration, { published, isType }) {
  const { file, kind, body } = declaration;
  if (kind !== "interface" && kind !== "class") return [];
  const bare = withoutComments(body);
  const own = [];
  for (let start = 0; start < body.length;) {
    const end = start + indexAtTop(bare.slice(start), ";");
    const code = asMethod(oneLine(bare.slice(start, end)).replace(/^(static )?readonly /, "$1"));
    const place = start + bare.slice(start, end).search(/\S|$/);
    // A class of which only the type is exported cannot be constructed.
    const isConstructor = isType && code.startsWith("constructor(");
    if (code !== "" && code !== "#private" && !code.endsWith("?: never") && !isConstructor) {
      own.push({
        signature: memberSignature(file, code, published),
        sentence: sentenceWithDefault(commentBefore(body, place)),
      });
    }
    start = end + 1;
  }
  const extended = parentsOf(declaration).map((one) => one.replace(/<.*/, ""));
  const parents = hiddenIn(file, extended.join(), published).map((name) => {
    const [parentFile] = declaredIn(file, name).split("#");
    return findDeclaration(parentFile, name).declaration;
  });
  return [...own, ...parents.flatMap((parent) => membersOf(parent, { published, isType }))];
}

/** The types that an interface or a class extends. */
function parentsOf({ kind, text }) {
  if (kind !== "interface" && kind !== "class") return [];
  const extended = / (?:extends|implements) (.*)$/.exec(text)?.[1] ?? "";
  return split(extended);
}

/** A property that holds a function, as the method that it is for who calls it. */
function asMethod(code) {
  const [name, type = ""] = split(code, ":");
  const start = type.startsWith("<") ? indexAtTop(type.slice(1), ">") + 2 : 0;
  if (type[start] !== "(") return code;
  const close = start + 1 + indexAtTop(type.slice(start + 1), ")");
  if (!type.startsWith(") => ", close)) return code;
  return `${name}${type.slice(0, close)}): ${type.slice(close + ") => ".length)}`;
}

/** A member on one line that mentions no type of ours that is not public; what is too long, without its types. */
function memberSignature(file, code, published) {
  const isTellable = (signature) =>
    signature.length <= maxLength && hiddenIn(file, signature, published).length === 0;
  if (!/^[^:]*\(/.test(code)) return isTellable(code) ? code : split(code, ":")[0];
  const { head, parameters, result } = partsOf(code);
  const typed = parameters.map(({ label, type }) => `${label}: ${type}`).join(", ");
  const bare = parameters.map(({ label }) => label).join(", ");
  const candidates = [`${head}(${typed})${result}`, `${head}(${bare})${result}`];
  return candidates.find(isTellable) ?? `${head.replace(/<.*/, "")}(${bare})`;
}

/** The text of the documentation comment that ends right before a place. */
function commentBefore(text, index) {
  const comment = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*$/.exec(text.slice(0, index));
  if (comment === null) return "";
  return comment[1]
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
}

function firstSentence(comment) {
  const [text] = comment.split(/ @\w+| - /);
  return /^.*?[.!?](?=\s+[A-Z`(§]|\s*$)/.exec(text)?.[0] ?? text;
}

/** The first sentence, and the one that says what an absent option means. */
function sentenceWithDefault(comment) {
  const first = firstSentence(comment);
  const [text] = comment.split(" @");
  const index = text.search(/\b(?:Default|Absent): /);
  return index < first.length ? first : `${first} ${firstSentence(text.slice(index))}`;
}

/** What fits on a line; what is longer is told without its details. */
const maxLength = 110;

/** A declaration as one line of TypeScript that mentions no type of ours that is not public. */
function signatureOf({ file, kind, name, text }, { published, isType }) {
  const isTellable = (signature) =>
    signature.length <= maxLength &&
    !/\btypeof\b/.test(signature) &&
    hiddenIn(file, signature, published).length === 0;
  const firstOf = (...candidates) => candidates.find(isTellable) ?? candidates.at(-1);
  if (kind === "interface" || kind === "class") {
    // A class of which only the type is exported cannot be constructed.
    const shown = isType ? text.replace(/^class/, "interface") : text;
    return firstOf(shown, shown.split(" ").slice(0, 2).join(" "));
  }
  if (kind !== "function") return firstOf(text, `${kind} ${name}`);
  const { head, parameters, result } = partsOf(text);
  const typed = parameters.map(({ label, type }) => `${label}: ${type}`).join(", ");
  const bare = parameters.map(({ label }) => label).join(", ");
  return firstOf(
    `${head}(${typed})${result}`,
    `${head}(${bare})${result}`,
    `function ${name}(${bare})${result}`,
    `function ${name}(${bare})`,
  );
}

/**
 * The types in what a function returns that no entry exports. A user's declarations could not name what is inferred
 * from a call of it.
 */
function hiddenResults({ file, kind, text }, published) {
  return kind === "function" ? hiddenIn(file, partsOf(text).result, published) : [];
}

/** The types of ours that a text mentions and no entry exports. */
function hiddenIn(file, text, published) {
  return (text.match(/\b[A-Z]\w+/g) ?? []).filter((word) => {
    const place = declaredIn(file, word);
    return place !== undefined && !published.has(place);
  });
}

/** A function's name with its type parameters, its parameters, and what it returns. */
function partsOf(text) {
  const open = text.indexOf("(");
  const close = open + 1 + indexAtTop(text.slice(open + 1), ")");
  return {
    head: text.slice(0, open),
    parameters: split(text.slice(open + 1, close)).map(parameterOf),
    result: text.slice(close + 1),
  };
}

/** A parameter that is taken apart where it is declared gets a name after its type. */
function parameterOf(parameter) {
  const [pattern, type] = split(parameter, ":");
  if (!/^[{[]/.test(pattern)) return { label: pattern, type };
  const [noun = "options"] = type.replace(/^Pick</, "").match(/^\w+/) ?? [];
  const label = noun.endsWith("Options") ? "options" : noun[0].toLowerCase() + noun.slice(1);
  return { label: `${label}${pattern.endsWith("?") ? "?" : ""}`, type };
}

/** Where a type that a file mentions is declared; `undefined` when that is not in this package. */
function declaredIn(file, word) {
  const text = readText(file);
  if (new RegExp(`\\b(?:interface|type|class) ${word}\\b`).test(text)) return `${file}#${word}`;
  const from = new RegExp(`^import [^;]*\\b${word}\\b[^;]* from "(\\.[^"]+)"`, "m").exec(text)?.[1];
  return from && findDeclaration(besides(file, from), word).declaredIn;
}

function oneLine(text) {
  return text
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/;? \}/g, " }")
    .replace(/= \| /g, "= ")
    .trim();
}

/** Where a character is that is in no brackets. */
function indexAtTop(text, wanted) {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (depth === 0 && character === wanted) return index;
    if ("([{<".includes(character)) depth++;
    else if (")]}".includes(character) || (character === ">" && text[index - 1] !== "=")) depth--;
  }
  return text.length;
}

function split(text, separator = ",") {
  const index = indexAtTop(text, separator);
  if (text.trim() === "") return [];
  if (separator === ":") return [text.slice(0, index).trim(), text.slice(index + 1).trim()];
  return [text.slice(0, index).trim(), ...split(text.slice(index + 1))];
}

/** The declaration file that a specifier of another one names. */
function besides(file, specifier) {
  const path = specifier.startsWith("#")
    ? join(thisPackage, importedAs[specifier].default)
    : join(dirname(file), specifier);
  return path.replace(/\.js$/, ".d.ts");
}

const texts = new Map();

function readText(file) {
  if (!existsSync(file)) throw new Error(`${file} is missing: build first`);
  if (!texts.has(file)) texts.set(file, readFileSync(file, "utf8"));
  return texts.get(file);
}
