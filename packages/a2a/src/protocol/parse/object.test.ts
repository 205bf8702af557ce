import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { array } from "./collections.js";
import { Cursor } from "./cursor.js";
import type { Parser } from "./cursor.js";
import { jsonValue } from "./json.js";
import { exactlyOne, implicit, members, nullable, object, optional, required } from "./object.js";
import { snakeCase } from "./object.js";
import { boolean, identifier, integer, string } from "./primitives.js";

interface Thing {
  readonly thingId: string;
  readonly label?: string;
  readonly pageSize?: number;
  readonly isOpen?: boolean;
  readonly tags?: readonly string[];
  readonly anyValue?: unknown;
  readonly given?: string;
}

const parseThing = object<Thing>({
  thingId: required(identifier, { aliases: ["name"] }),
  label: implicit(string),
  pageSize: implicit(integer(0)),
  isOpen: implicit(boolean),
  tags: implicit(array(string)),
  anyValue: nullable(jsonValue),
  given: optional(string, { from: "wireName", aliases: ["otherName"] }),
});

const read = (value: unknown): Thing => parseThing(value, new Cursor());
const parsed = (json: string): Thing => read(JSON.parse(json));

describe("an object", () => {
  it.each([
    { thingId: "t" },
    { thingId: "t", label: "l", pageSize: 1, isOpen: true, tags: ["x"], anyValue: null },
    { label: "l", thingId: "t" },
  ])("that is as the model has it is returned itself: %j", (value) => {
    expect(read(value)).toBe(value);
  });

  it("is copied when something changes, and the given one is left alone", () => {
    const value = { thingId: "t", label: "l", unknown: 1, tags: ["x"] };
    const copy = structuredClone(value);
    const result = read(value);
    expect(result).toStrictEqual({ thingId: "t", label: "l", tags: ["x"] });
    expect(result.tags).toBe(value.tags);
    expect(value).toStrictEqual(copy);
  });

  it.each<[object]>([
    [{ a: 1 }],
    [{ a: null }],
    [{ prototype: {} }],
    [{ constructor: 1 }],
    [{ toString: "x" }],
  ])("loses members that no one knows: %j", (unknown) => {
    verifies("json:unknown-members");
    expect(read({ ...unknown, thingId: "t" })).toStrictEqual({ thingId: "t" });
    expect(read({ thingId: "t", ...unknown })).toStrictEqual({ thingId: "t" });
  });

  it("loses a member called __proto__, whatever it holds", () => {
    const result = parsed('{"__proto__":{"label":"evil","thingId":"evil"},"thingId":"t"}');
    expect(result).toStrictEqual({ thingId: "t" });
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(() => parsed('{"__proto__":{"thingId":"evil"}}')).toThrow("thingId");
  });

  it.each(["[]", "null", '"x"', "1", "true"])("is not %s", (json) => {
    expect(violation(() => parsed(json)).description).toMatch(/^expected an object, got /);
    expect(() => members(JSON.parse(json), new Cursor())).toThrow("expected an object");
  });

  it("is read under snake_case names", () => {
    verifies("json:snake-case-input");
    expect(parsed('{"thing_id":"t","page_size":2,"is_open":true,"wire_name":"g"}')).toStrictEqual({
      thingId: "t",
      pageSize: 2,
      isOpen: true,
      given: "g",
    });
  });

  it("is read under aliases and under the name that the wire has", () => {
    expect(parsed('{"name":"t","wireName":"g"}')).toStrictEqual({ thingId: "t", given: "g" });
    expect(parsed('{"thingId":"t","otherName":"g"}')).toStrictEqual({ thingId: "t", given: "g" });
    expect(parsed('{"thingId":"t","given":"g"}')).toStrictEqual({ thingId: "t" });
  });

  it.each<[string, string]>([
    ['{"thingId":"own","thing_id":"snake","name":"alias"}', "own"],
    ['{"name":"alias","thing_id":"snake","thingId":"own"}', "own"],
    ['{"thing_id":"snake","name":"alias"}', "snake"],
    ['{"name":"alias","thing_id":"snake"}', "alias"],
    ['{"thingId":null,"thing_id":"snake"}', "snake"],
    ['{"name":7,"thingId":"own"}', "own"],
  ])("has a member that comes under two names once, its own name first: %s", (json, thingId) => {
    expect(parsed(json)).toStrictEqual({ thingId });
  });
});

describe("a member", () => {
  it("that is null is absent", () => {
    expect(
      parsed('{"thingId":"t","label":null,"pageSize":null,"tags":null,"wireName":null}'),
    ).toStrictEqual({ thingId: "t" });
  });

  it("for which null is a value may be null", () => {
    expect(parsed('{"anyValue":null,"thingId":"t"}')).toStrictEqual({
      anyValue: null,
      thingId: "t",
    });
  });

  it("with a default that means absence is dropped", () => {
    expect(
      parsed('{"label":"","pageSize":0,"isOpen":false,"tags":[],"thingId":"t"}'),
    ).toStrictEqual({ thingId: "t" });
    expect(parsed('{"pageSize":"0","thingId":"t"}')).toStrictEqual({ thingId: "t" });
  });

  it("whose presence is explicit keeps whatever is set", () => {
    verifies("json:explicit-default");
    expect(parsed('{"thingId":"t","wireName":""}')).toStrictEqual({ thingId: "t", given: "" });
    expect(parsed('{"thingId":"t","anyValue":[]}')).toStrictEqual({ thingId: "t", anyValue: [] });
  });

  it.each(["{}", '{"label":"l"}', '{"thingId":null}', '{"thingId":null,"name":null}'])(
    "that is required is missed by the name that the wire has: %s",
    (json) => {
      verifies("json:required-missing");
      expect(violation(() => parsed(json))).toEqual({
        code: "INVALID_PARAMS",
        field: "thingId",
        description: "this member is required",
      });
    },
  );

  it.each<[string, string]>([
    ['{"thingId":1}', "thingId"],
    ['{"thing_id":1}', "thing_id"],
    ['{"name":1}', "name"],
    ['{"thingId":"t","tags":["x",1]}', "tags[1]"],
    ['{"thingId":"t","label":7}', "label"],
    ['{"thingId":"t","wireName":7}', "wireName"],
    ['{"thingId":"t","anyValue":{"a":[{"__proto__":1}]}}', "anyValue.a[0].__proto__"],
  ])("that is wrong is named as it was written: %s", (json, field) => {
    expect(violation(() => parsed(json)).field).toBe(field);
  });

  it("that is wrong leaves no trace in what is read next", () => {
    const cursor = new Cursor();
    const pair: Parser<unknown> = array(parseThing);
    expect(pair([{ thingId: "a" }, { thingId: "b" }], cursor)).toHaveLength(2);
    expect(cursor.path).toEqual([]);
  });
});

describe("exactly one of several members", () => {
  const one = exactlyOne<object>(
    object<{ left?: unknown; right?: string }>({
      left: nullable(jsonValue),
      right: optional(string),
    }),
    ["left", "right"],
  );

  it.each(['{"left":null}', '{"left":{}}', '{"right":""}'])("is present: %s", (json) => {
    const value: unknown = JSON.parse(json);
    expect(one(value, new Cursor())).toBe(value);
  });

  it.each<[string, number]>([
    ["{}", 0],
    ['{"right":null}', 0],
    ['{"other":1}', 0],
    ['{"left":null,"right":""}', 2],
  ])("is not %s, which has %d", (json, count) => {
    expect(violation(() => one(JSON.parse(json), new Cursor()))).toEqual({
      code: "INVALID_PARAMS",
      field: "",
      description: `exactly one of left, right is required, got ${count}`,
    });
  });
});

describe("a name in snake_case", () => {
  it.each([
    ["id", "id"],
    ["taskId", "task_id"],
    ["returnImmediately", "return_immediately"],
    ["oauth2SecurityScheme", "oauth2_security_scheme"],
  ])("of %s is %s", (name, expected) => {
    expect(snakeCase(name)).toBe(expected);
  });
});
