import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { part } from "../../../test/support/arbitraries/model.js";
import { Cursor } from "./cursor.js";
import { parsePart } from "./part.js";

const read = (json: string): unknown => parsePart(JSON.parse(json), new Cursor());

describe("a part", () => {
  it("that is as the model has it is returned itself", () => {
    verifies("part:data-any-json", "part:media-type");
    fc.assert(
      fc.property(part, (value) => {
        expect(parsePart(value, new Cursor()) === value).toBe(true);
      }),
    );
  });

  it.each([
    '{"text":""}',
    '{"raw":""}',
    '{"data":null}',
    '{"data":[]}',
    '{"data":false}',
    '{"data":0}',
    '{"data":""}',
  ])("is there when its member is there, whatever the value: %s", (json) => {
    verifies("part:presence");
    expect(read(json)).toStrictEqual(JSON.parse(json));
  });

  it.each<[string, string]>([
    ['{"text":"x","mediaType":"","filename":"","metadata":null}', '{"text":"x"}'],
    ['{"text":"x","media_type":"text/html"}', '{"text":"x","mediaType":"text/html"}'],
    ['{"raw":"-_8"}', '{"raw":"+/8="}'],
    ['{"text":"x","raw":null,"url":null}', '{"text":"x"}'],
    ['{"kind":"text","text":"x"}', '{"text":"x"}'],
    ['{"text":"x","metadata":{}}', '{"text":"x","metadata":{}}'],
  ])("is read into the model's form: %s is %s", (json, expected) => {
    expect(read(json)).toStrictEqual(JSON.parse(expected));
  });

  it.each<[string, number]>([
    ["{}", 0],
    ['{"text":null}', 0],
    ['{"raw":null,"url":null}', 0],
    ['{"mediaType":"text/plain"}', 0],
    ['{"text":"x","data":null}', 2],
    ['{"text":"","url":"https://a.example"}', 2],
    ['{"text":"x","raw":"","url":"https://a.example","data":1}', 4],
  ])("has exactly one content, unlike %s", (json, count) => {
    verifies("part:one-content");
    expect(violation(() => read(json))).toEqual({
      code: "INVALID_PARAMS",
      field: "",
      description: `exactly one of text, raw, url, data is required, got ${count}`,
    });
  });

  it.each<[string, string]>([
    ['{"text":1}', "text"],
    ['{"text":"\\ud800"}', "text"],
    ['{"raw":"***"}', "raw"],
    ['{"raw":1}', "raw"],
    ['{"url":"nowhere"}', "url"],
    ['{"url":""}', "url"],
    ['{"data":{"a":[1e400]}}', "data.a[0]"],
    ['{"text":"x","mediaType":1}', "mediaType"],
    ['{"text":"x","filename":{}}', "filename"],
    ['{"text":"x","metadata":[]}', "metadata"],
    ['{"text":"x","metadata":{"__proto__":{}}}', "metadata.__proto__"],
    ["[]", ""],
    ["null", ""],
    ['"x"', ""],
  ])("is refused at the member that is wrong: %s", (json, field) => {
    expect(violation(() => read(json))).toMatchObject({ code: "INVALID_PARAMS", field });
  });
});
