import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import {
  requirements,
  type Level,
  type Requirement,
  type RequirementId,
} from "../../../cli/src/conformance/requirements.js";
import { verifies } from "./verifies.js";

const packages = join(import.meta.dirname, "../../..");
const entries: readonly (readonly [string, Requirement])[] = Object.entries(requirements);

describe("the manifest of requirements", () => {
  it("describes every requirement by an id, a section and one sentence", () => {
    const malformed = entries.filter(
      ([id, { section, text, instead }]) =>
        !/^[a-z]+(-[a-z]+)*:[a-z0-9]+(-[a-z0-9]+)*$/.test(id) ||
        !/^\d+(\.\d+)*$|^A\./.test(section) ||
        [text, instead ?? text].some(
          (sentence) => !/^[A-Z].*[^.]\.$/.test(sentence) || /[.!?]\s/.test(sentence),
        ),
    );
    expect(malformed).toEqual([]);
  });

  it("says nothing twice", () => {
    const texts = entries.map(([, { text }]) => text);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });
});

describe("the tests", () => {
  const citations = listTestFiles().flatMap((file) =>
    parseCitedIds(readFileSync(file, "utf8")).map((id) => ({ id, file: relative(packages, file) })),
  );

  it("cite only requirements that exist", () => {
    const unknown = citations.filter(({ id }) => !Object.hasOwn(requirements, id));
    expect(unknown, "correct these ids or add them to the manifest").toEqual([]);
  });

  it.each<Level>(["MUST", "SHOULD"])("cite every %s", (level) => {
    const cited = new Set(citations.map(({ id }) => id));
    expect(
      listIds(level).filter((id) => !cited.has(id)),
      "no test cites these: add a test that shows them, or what is done instead",
    ).toEqual([]);
  });
});

describe("reading citations", () => {
  const call = "verifies";

  it.each<[string, string, RequirementId[]]>([
    ["one id", `${call}("get:idempotent");`, ["get:idempotent"]],
    ["several ids", `${call}("list:order", "get:idempotent");`, ["list:order", "get:idempotent"]],
    [
      "several lines",
      `${call}(\n  "list:order",\n  "get:idempotent",\n);`,
      ["list:order", "get:idempotent"],
    ],
    [
      "several calls",
      `${call}("list:order");\n${call}("get:idempotent");`,
      ["list:order", "get:idempotent"],
    ],
    ["no call", `import { ${call} } from "./verifies.js";`, []],
  ])("finds %s", (_, source, ids) => {
    expect(parseCitedIds(source)).toEqual(ids);
  });

  it("costs nothing at run time", () => {
    expect(verifies()).toBeUndefined();
  });
});

function listIds(level: Level): string[] {
  return entries.filter(([, requirement]) => requirement.level === level).map(([id]) => id);
}

function listTestFiles(): string[] {
  return readdirSync(packages)
    .flatMap((name) => [join(packages, name, "src"), join(packages, name, "test")])
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith(".test.ts"));
}

function parseCitedIds(source: string): string[] {
  return [...source.matchAll(/\bverifies\(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, id = ""]) => id),
  );
}
