import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskStates } from "../../../src/protocol/internal.js";
import { snakeCase } from "../../../src/protocol/parse/internal.js";
import { codecs } from "../../../src/wire/codecs.js";
import type { Dialect } from "../../../src/wire/dialect.js";
import { streamResponse } from "../../support/arbitraries/model.js";
import { rounds } from "../../support/rounds.js";
import { verifies } from "../../spec/verifies.js";
import { clientCursor, eventContext, throughJson } from "../exchange.js";
import { forget } from "../forget.js";
import { fullDocuments } from "../full-documents.js";

/** The dialects whose JSON is that of a proto. */
const protoDialects: readonly Dialect[] = ["1.0", "0.3-proto"];

/** Members whose content is the sender's own, and stays as it is. */
const free: ReadonlySet<string> = new Set(["metadata", "data", "headers"]);

type Rewrite = (name: string, value: unknown) => readonly [name: string, value: unknown];

/** The document with each member rewritten, but for what is free. */
function rewritten(json: unknown, rewrite: Rewrite): unknown {
  if (Array.isArray(json)) return json.map((one) => rewritten(one, rewrite));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]: [string, unknown]) =>
      rewrite(name, free.has(name) ? value : rewritten(value, rewrite)),
    ),
  );
}

const when =
  (names: readonly string[], change: (value: never) => unknown): Rewrite =>
  (name, value) =>
    typeof value !== "object" && names.includes(name)
      ? [name, change(value as never)]
      : [name, value];

const enumNumber = (name: string): number =>
  name.startsWith("ROLE_")
    ? ["", "ROLE_USER", "ROLE_AGENT"].indexOf(name)
    : taskStates.findIndex((state) => state === name.replace("CANCELLED", "CANCELED"));

/** The same instant in a zone of its own, within the years that there are; a fraction in nine digits. */
function elsewhere(timestamp: string): string {
  const [, seconds = "", digits = ""] = /^(.{19})(?:\.(\d+))?Z$/.exec(timestamp) ?? [];
  const isLate = seconds.startsWith("9999-12-31");
  const moment = Date.parse(`${seconds}Z`) + (isLate ? -1 : 1) * 330 * 60_000;
  const moved = new Date(moment).toISOString().slice(0, 19);
  const fraction = digits === "" ? "" : `.${digits.padEnd(9, "0")}`;
  return `${moved}${fraction}${isLate ? "-" : "+"}05:30`;
}

/** Other spellings that readers of ProtoJSON accept, and that mean the same. */
const spellings: Readonly<Record<string, Rewrite>> = {
  "names in snake_case": (name, value) => [snakeCase(name), value],
  "enums by their numbers": when(["role", "state", "status"], enumNumber),
  "integers as strings": when(["historyLength", "pageSize", "totalSize"], String),
  "integers as strings with an exponent": when(
    ["historyLength", "pageSize", "totalSize"],
    (value: number) => `${value}.0e0`,
  ),
  "bytes as base64url without padding": when(["raw", "fileWithBytes"], (value: string) =>
    Buffer.from(value, "base64").toString("base64url"),
  ),
  "times with an offset and nine digits": when(["timestamp", "statusTimestampAfter"], elsewhere),
};

describe.each(protoDialects)("in dialect %s", (dialect) => {
  it.each(Object.entries(spellings))("a reader understands %s", (_, rewrite) => {
    verifies("json:snake-case-input", "json:timestamp-parse");
    let changed = 0;
    for (const { json, read, name } of fullDocuments(dialect)) {
      const other = rewritten(json, rewrite);
      if (JSON.stringify(other) !== JSON.stringify(json)) changed += 1;
      deepStrictEqual(read(other), read(json), name);
    }
    expect(changed).toBeGreaterThan(0);
  });

  it("events of any content mean the same in all of these spellings at once", () => {
    const { encodeEvent, decodeEvent } = codecs[dialect];
    fc.assert(
      fc.property(streamResponse, (event) => {
        const [json] = encodeEvent(event, eventContext(false));
        const all = Object.values(spellings).reduceRight(
          (one, rewrite) => rewritten(one, rewrite),
          throughJson(json),
        );
        const [expected] = forget[dialect].event(event);
        deepStrictEqual(usual(decodeEvent(all, clientCursor(), {})), usual(expected));
      }),
      { numRuns: rounds(300) },
    );
  });
});

it("a peer of 1.0 may write null for each content that a part does not have, data too", () => {
  const nothing = { text: null, raw: null, url: null, data: null };
  const contents = [{ text: "a" }, { raw: "aGk=" }, { url: "https://a.example/b" }];
  const message = {
    messageId: "m1",
    role: "ROLE_AGENT",
    parts: contents.map((content) => ({ ...nothing, ...content })),
  };
  const event = codecs["1.0"].decodeEvent({ message }, clientCursor(), {});
  expect(event.message?.parts).toStrictEqual(contents);
});

/** Bytes in their usual spelling: what fast-check makes may end in bits that are lost. */
function usual(value: unknown): unknown {
  return rewritten(
    value,
    when(["raw"], (raw: string) => Buffer.from(raw, "base64").toString("base64")),
  );
}
