import {
  both,
  fields,
  flag,
  isObject,
  isPromise,
  listOf,
  recordOf,
  rule,
  text,
} from "../../options/internal.js";
import type { Rule, Rules } from "../../options/internal.js";
import type { ArtifactOutput, FileContent, StatusOutput } from "./output.js";

/** The members of all types of a union. */
type MembersOf<T> = { readonly [K in T extends unknown ? keyof T : never]?: unknown };

/** Whether it is JSON all the way down is checked later, with the event. */
const json: Rule = rule((value) =>
  isPromise(value) || typeof value === "function" ? "JSON" : undefined,
);
const string: Rule = rule((value) => (typeof value === "string" ? undefined : "a string"));
const mediaType: Rule = text("a media type");
const filename: Rule = text("the name of a file");
const url: Rule = text("a URL");
const metadata: Rule = recordOf(json, "an object with JSON");

/** Exactly one of some members. */
function oneOfMembers(...names: readonly string[]): Rule {
  return {
    problem(value, place) {
      const members = value as Readonly<Record<string, unknown>>;
      const present = names.filter((name) => members[name] !== undefined);
      if (present.length === 1) return undefined;
      const found = present.length === 0 ? "no content" : present.join(" and ");
      return `${place === "" ? "it" : place} has ${found}; expected one of ${names.join(", ")}`;
    },
  };
}

const files: Rules<MembersOf<FileContent>> = {
  bytes: rule((value) => (value instanceof Uint8Array ? undefined : "a Uint8Array")),
  url,
  mediaType,
  filename,
};
const file: Rule = both(fields(files, [], "{ bytes } or { url }"), oneOfMembers("bytes", "url"));

const parts = {
  text: string,
  data: json,
  url,
  raw: text("base64"),
  file,
  mediaType,
  filename,
  metadata,
};

/** A part. What else could be in its place says what a misspelt member may stand for. */
function part(expected: string, related: readonly string[] = []): Rule {
  return both(
    fields(parts, [], expected, related),
    oneOfMembers("text", "data", "url", "raw", "file"),
  );
}

const single: Rule = part("a string, a part such as { data }, or a list of these");
const item: Rule = part("a string or a part such as { data }");
const list: Rule = both(
  rule((value) => (value instanceof Array && value.length > 0 ? undefined : "at least one part")),
  listOf({ problem: (one, place) => (isText(one) ? undefined : item.problem(one, place)) }, ""),
);

/** The words of a message, or the content of an artifact. */
export const contentRule: Rule = {
  problem(value, place) {
    if (isText(value)) return undefined;
    return (Array.isArray(value) ? list : single).problem(value, place);
  },
};

const statuses: Rules<StatusOutput> = {
  status: contentRule,
  progress: rule((value) =>
    typeof value === "number" && value >= 0 && value <= 1 ? undefined : "a number from 0 to 1",
  ),
  metadata,
};
const status: Rule = fields(statuses, ["status"]);

const artifacts: Rules<MembersOf<ArtifactOutput>> = {
  artifact: text("the id of the artifact"),
  name: text(),
  description: text(),
  append: flag,
  lastChunk: flag,
  extensions: listOf(text(), "a list of URIs"),
  metadata,
  text: string,
  data: json,
  mediaType,
  file,
  parts: contentRule,
};
const artifact: Rule = both(
  fields(artifacts, ["artifact"]),
  oneOfMembers("text", "data", "file", "parts"),
);

const partOfAnswer: Rule = part("", [...Object.keys(statuses), ...Object.keys(artifacts)]);

/** What a handler may yield, if it is an object. */
export const outputRule: Rule = {
  problem(value, place) {
    if (isObject(value) && "status" in value) return status.problem(value, place);
    if (isObject(value) && "artifact" in value) return artifact.problem(value, place);
    return partOfAnswer.problem(value, place);
  },
};

const question: Rule = fields<{ inputRequired: unknown }>({ inputRequired: contentRule }, [
  "inputRequired",
]);
const completion: Rule = fields<{ completed: unknown }>({ completed: contentRule }, ["completed"]);
const returnedPart: Rule = part("", ["inputRequired", "completed"]);

/** What a handler may return, if it is an object. */
export const outcomeRule: Rule = {
  problem(value, place) {
    if (isObject(value) && "inputRequired" in value) return question.problem(value, place);
    if (isObject(value) && "completed" in value) return completion.problem(value, place);
    return returnedPart.problem(value, place);
  },
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}
