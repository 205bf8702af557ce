import { isDeepStrictEqual } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { A2AError } from "../../src/protocol/internal.js";
import { Cursor } from "../../src/protocol/parse/internal.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import { dialects } from "./exchange.js";
import { fullDocuments } from "./full-documents.js";
import type { Document } from "./full-documents.js";

type Path = readonly (string | number)[];
type Members = Record<string | number, unknown>;

/** What becomes of a document: the value that was read, or where it was refused and as what. */
type Outcome = { readonly value: unknown } | { readonly code: string; readonly field: string };

interface Place {
  readonly dialect: Dialect;
  readonly document: Document;
  readonly path: Path;
  readonly value: unknown;
}

/** Below these anything goes that is JSON. */
const free: ReadonlySet<string | number> = new Set(["metadata", "data", "headers"]);

/** Twenty thousand levels, in which whoever follows them gets lost. */
const deep: unknown = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);

describe.each(dialects)("in every document of dialect %s", (dialect) => {
  const documents = fullDocuments(dialect);
  const places = documents.flatMap((document) =>
    placesIn(document.json, []).map(([path, value]) => ({ dialect, document, path, value })),
  );
  /** Members that are read as what they are, and not as free-form JSON. */
  const members = places.filter(({ path }) => !path.slice(0, -1).some((step) => free.has(step)));

  it("a member of the wrong type is refused under its name", () => {
    verifies("error:invalid-fields");
    const surprises = members.flatMap((place) => {
      if (isUnread(place) || (place.path.at(-1) === "data" && takesAnyData(place))) return [];
      const wrong = typeof place.value === "boolean" ? "wrong" : true;
      return differences(place, changed(place, wrong), refusal(place, nameOf(place)));
    });
    expect(surprises).toEqual([]);
  });

  it("a lone surrogate is refused where it stands", () => {
    const surprises = places.flatMap((place) => {
      if (typeof place.value !== "string" || isUnread(place)) return [];
      return differences(place, changed(place, "\ud800"), refusal(place, nameOf(place)));
    });
    expect(surprises).toEqual([]);
  });

  it("null is read as if the member were not there", () => {
    const surprises = members.flatMap((place) => {
      if (typeof place.path.at(-1) === "number" || isNullable(place)) return [];
      return differences(place, changed(place, null), outcome(place, deleted(place)));
    });
    expect(surprises).toEqual([]);
  });

  it("__proto__ is ignored among members and refused in free-form JSON", () => {
    const surprises = objectsOf(documents, dialect).flatMap((place) => {
      const json = withMember(place, "__proto__", { id: "evil", polluted: true });
      const isFree = place.path.some((step) => free.has(step)) && !isProtoData(place);
      const expected = isFree
        ? refusal(place, fieldOf([...place.path, "__proto__"]))
        : outcome(place, place.document.json);
      return differences(place, json, expected);
    });
    expect(surprises).toEqual([]);
  });

  it("members that no one knows are ignored, however deep they are", () => {
    verifies("json:unknown-members", "security:size-limits");
    const surprises = objectsOf(documents, dialect).flatMap((place) => {
      if (place.path.some((step) => free.has(step)) && !isProtoData(place)) return [];
      const json = withMember(place, "unknown", deep);
      return differences(place, json, outcome(place, place.document.json));
    });
    expect(surprises).toEqual([]);
  });

  it("nesting that is too deep is refused in free-form JSON", () => {
    verifies("security:size-limits");
    const surprises = objectsOf(documents, dialect).flatMap((place) => {
      const isMap = place.path.at(-1) === "headers";
      if (!place.path.some((step) => free.has(step)) || isProtoData(place) || isMap) return [];
      const levels = 100 - place.path.length - 1;
      const field = fieldOf([...place.path, "unknown", ...Array<number>(levels).fill(0)]);
      return differences(place, withMember(place, "unknown", deep), refusal(place, field));
    });
    expect(surprises).toEqual([]);
  });
});

afterAll(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect({}).not.toHaveProperty("polluted");
});

function outcome({ document }: Pick<Place, "document">, json: unknown): Outcome {
  try {
    return { value: document.read(json) };
  } catch (error) {
    if (!A2AError.is(error)) throw error;
    return { code: error.code, field: error.details.fieldViolations?.[0]?.field ?? "none" };
  }
}

function refusal({ document }: Pick<Place, "document">, field: string): Outcome {
  return { code: document.isRequest ? "INVALID_PARAMS" : "INVALID_AGENT_RESPONSE", field };
}

/** A line about the place if the outcome is not the expected one. */
function differences(place: Place, json: unknown, expected: Outcome): string[] {
  const found = outcome(place, json);
  if (isDeepStrictEqual(found, expected)) return [];
  const what = "field" in found ? `${found.code} ${found.field}` : "read";
  return [`${place.document.name}: ${fieldOf(place.path)} is ${what}`];
}

function placesIn(value: unknown, path: Path): (readonly [Path, unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return [[at, member] as const, ...placesIn(member, at)];
  });
}

function objectsOf(documents: readonly Document[], dialect: Dialect): readonly Place[] {
  return documents.flatMap((document) =>
    [[[], document.json] as const, ...placesIn(document.json, [])]
      .filter(([, value]) => typeof value === "object" && value !== null && !Array.isArray(value))
      .map(([path, value]) => ({ dialect, document, path, value })),
  );
}

/** A copy of the document in which something was done to the object or list that holds the place. */
function edited(place: Place, path: Path, edit: (holder: Members) => void): unknown {
  const copy = structuredClone(place.document.json);
  edit(path.reduce<Members>((holder, step) => holder[step] as Members, copy as Members));
  return copy;
}

function changed(place: Place, value: unknown): unknown {
  return edited(place, place.path.slice(0, -1), (holder) => {
    holder[place.path.at(-1) ?? ""] = value;
  });
}

function deleted(place: Place): unknown {
  return edited(place, place.path.slice(0, -1), (holder) => {
    delete holder[place.path.at(-1) ?? ""];
  });
}

function withMember(place: Place, name: string, value: unknown): unknown {
  return edited(place, place.path, (holder) => {
    const ownMember = { writable: true, enumerable: true, configurable: true };
    Object.defineProperty(holder, name, { value, ...ownMember });
  });
}

function fieldOf(path: Path): string {
  return new Cursor({ at: path }).field();
}

/** The protobuf form of 0.3 has one more object around the data, of which only `data` is read. */
function isProtoData({ dialect, path }: Place): boolean {
  return dialect === "0.3-proto" && path.at(-1) === "data" && path.at(-2) !== "data";
}

/** 1.0 takes any JSON as data, and so does a client from peers that are not bound by a protobuf. */
function takesAnyData({ dialect, document }: Place): boolean {
  return dialect === "1.0" || (!document.isRequest && dialect !== "0.3-proto");
}

/** Data may be null, and by null peers of 0.1 say that there is no webhook. */
function isNullable({ dialect, document, path }: Place): boolean {
  const isGet = document.name === "result of getTaskPushNotificationConfig";
  const last = path.at(-1);
  return last === "data" || (dialect === "0.1" && isGet && last === "pushNotificationConfig");
}

/** True for members on which nothing depends, mostly because others say the same. */
function isUnread({ dialect, document, path }: Place): boolean {
  const [last, parent, grandparent] = path.toReversed();
  if (last === "kind") return grandparent !== "parts";
  if (last === "type") return dialect !== "0.1";
  if (last === "final" || last === "success" || last === "eventType") return true;
  if (last === "taskId") return dialect === "0.1" && document.name === "push notification";
  const isChunkFlag = last === "append" || last === "lastChunk";
  // Whoever has the whole task does not put its artifacts together.
  if (isChunkFlag && path.includes("artifacts")) return true;
  if (dialect !== "0.1+0.3") return false;
  const isRepeated = isChunkFlag && parent === "artifact";
  const isSecondId = last === "id" && path.length === 1 && has(document, "taskId");
  return last === "sessionId" || last === "index" || isRepeated || isSecondId;
}

/** The name under which the place is refused, where a reader has renamed or taken apart what holds it. */
function nameOf({ dialect, document, path }: Place): string {
  const [first, second] = path;
  if (dialect === "0.1" && !document.isRequest) {
    if (first === "sessionId") return "contextId";
    if (document.name.startsWith("event")) {
      if (first === "id") return "taskId";
      if (path.length === 1 && (first === "status" || first === "artifact")) return "";
      if (second === "append" || second === "lastChunk") return second;
    }
  }
  if (dialect === "0.3-schema" && !document.isRequest && path.length === 1) {
    if (has(document, "statusUpdate", "artifactUpdate", "task", "message")) return "";
  }
  if (dialect === "0.3-proto" && !document.isRequest && path.at(-1) === "name") {
    const owner = path.slice(0, -1);
    const isConfig = owner.length === 0 || owner[0] === "configs";
    if (isConfig) return fieldOf([...owner, "taskId"]);
  }
  return fieldOf(path);
}

function has({ json }: Document, ...names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(json as object, name));
}
