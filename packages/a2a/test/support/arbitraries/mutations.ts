/** JSON that is almost right, and JSON that is meant to do harm, as fast-check generates them. */
import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { snakeCase } from "../../../src/protocol/parse/internal.js";

type Container = Record<string | number, unknown>;

/** Values that readers trip over: hostile names, text that is no Unicode, numbers that are none. */
const hostileJson: readonly string[] = [
  "1e400",
  "-1e400",
  "1e308",
  "2.5",
  "-1",
  '"\\ud800"',
  '""',
  '" "',
  '"3"',
  '"constructor"',
  '"__proto__"',
  '{"__proto__":{"polluted":true}}',
  '{"__proto__":null,"text":"x"}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"\\ud800":1}',
  '{"toString":1,"valueOf":2,"length":3}',
  '{"length":1e9}',
  '{"text":"x","data":null}',
  "[[[[[[[[[[]]]]]]]]]]",
  "[null]",
  "{}",
  "[]",
  "null",
  "true",
];

/** Twenty thousand levels, of lists and of members that are read into. */
const nesting: readonly string[] = ["[", '{"x":', '{"config":', '{"pushNotificationConfig":'];

/** A failing test prints how it was made instead of the value. */
function nested(open: string): unknown {
  const close = open === "[" ? "]" : "}";
  const value = JSON.parse(`${open.repeat(20_000)}1${close.repeat(20_000)}`) as object;
  const print = (): string => `nested(${JSON.stringify(open)})`;
  return Object.defineProperty(value, fc.toStringMethod, { value: print });
}

const names: readonly string[] = `
  __proto__ constructor kind type id taskId name parent config content parts text data file status
  artifact task message msg messageId contextId sessionId schemes scheme headers index metadata
  pushNotificationConfig statusUpdate artifactUpdate configs tasks blocking`
  .trim()
  .split(/\s+/);

/** Without -0, which JSON writes as 0. */
const innocent: Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** Anything that a parser of JSON can return. */
export const anyJson: Arbitrary<unknown> = fc.oneof(
  { weight: 10, arbitrary: innocent },
  {
    weight: 10,
    arbitrary: fc.constantFrom(...hostileJson).map((json) => JSON.parse(json) as unknown),
  },
  {
    weight: 10,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...names), innocent), { maxLength: 4 })
      .map((members) => Object.fromEntries(members) as unknown),
  },
  { weight: 1, arbitrary: fc.constantFrom(...nesting).map(nested) },
);

interface Mutation {
  readonly kind: "delete" | "replace" | "copy" | "rename" | "retype";
  /** Which of the places in the document, counted round and round. */
  readonly place: number;
  readonly name: string;
  readonly value: unknown;
}

const mutation: Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("delete", "replace", "copy", "rename", "retype"),
  place: fc.nat(1000),
  name: fc.constantFrom(...names),
  value: anyJson,
});

/** The JSON of a value with one to three changes at places chosen at random. */
export function mutated(values: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(values, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => {
      const root: Container = { document: JSON.parse(JSON.stringify(value)) as unknown };
      for (const one of mutations) mutate(root, one);
      return root["document"];
    });
}

function mutate(root: Container, { kind, place, name, value }: Mutation): void {
  const places = placesIn(root, 0);
  const [container, key] = places[place % places.length] ?? [root, "document"];
  switch (kind) {
    case "delete":
      delete container[key];
      if (Array.isArray(container)) container.splice(Number(key), 1);
      return;
    case "replace":
      // A copy, because a later change may go into it, and the value is used again when a failure is shrunk.
      container[key] = copyOf(value);
      return;
    case "copy":
      if (container !== root) define(container, name, container[key]);
      return;
    case "rename":
      if (container === root || Array.isArray(container)) return;
      define(container, snakeCase(String(key)), container[key]);
      delete container[key];
      return;
    case "retype":
      container[key] = retyped(container[key]);
      return;
  }
}

function placesIn(container: Container, depth: number): (readonly [Container, string])[] {
  return Object.keys(container).flatMap((key) => {
    const value = container[key];
    const isContainer = typeof value === "object" && value !== null && depth < 12;
    return [
      [container, key] as const,
      ...(isContainer ? placesIn(value as Container, depth + 1) : []),
    ];
  });
}

function copyOf(value: unknown): unknown {
  const isPlain = typeof value !== "object" || value === null || fc.toStringMethod in value;
  return isPlain ? value : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** Sets an own member, also one called `__proto__`. */
function define(container: Container, name: string, value: unknown): void {
  if (Array.isArray(container)) container.push(value);
  else Object.defineProperty(container, name, { value, ...ownMember });
}

const ownMember = { writable: true, enumerable: true, configurable: true };

function retyped(value: unknown): unknown {
  if (typeof value === "string") return value.length;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "true" : 0;
  if (Array.isArray(value)) return Object.assign({}, value) as unknown;
  return value === null ? {} : [value];
}
