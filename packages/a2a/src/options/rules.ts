import { either, fields, rule } from "./rule.js";
import type { Rule } from "./rule.js";

/** A text that is not empty. */
export function text(expected: string = "a string"): Rule {
  return rule((value) => (typeof value === "string" && value !== "" ? undefined : expected));
}

/** A media type, or all of a kind: `image/*`. */
export const mediaRange: Rule = rule((value) =>
  typeof value === "string" && /^[^\s/;,]+\/[^\s/;,]+(\s*;.*)?$/.test(value)
    ? undefined
    : "a media type such as text/plain",
);

export const flag: Rule = rule((value) =>
  typeof value === "boolean" ? undefined : "true or false",
);

export const callback: Rule = rule((value) =>
  typeof value === "function" ? undefined : "a function",
);

export function oneOf(...values: readonly string[]): Rule {
  const expected = values.map((value) => JSON.stringify(value)).join(" or ");
  return rule((value) => (values.some((one) => one === value) ? undefined : expected));
}

/** An object with these methods, such as a store or a bus. */
export function withMethods(methods: readonly string[], expected: string): Rule {
  return rule((value) => {
    const isGiven = typeof value === "object" && value !== null;
    const members = value as Readonly<Record<string, unknown>>;
    const hasAll = isGiven && methods.every((name) => typeof members[name] === "function");
    return hasAll ? undefined : expected;
  });
}

/** A whole number in a range, both ends included. */
function wholeNumber(min: number, max: number, expected: string): Rule {
  return rule((value) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
      ? undefined
      : expected,
  );
}

/** A limit; `Infinity` is none. */
export function count(min: number): Rule {
  return either((value) => value === Infinity, atLeast(min));
}

/** A limit that has to be one: what it bounds is a caller's. */
export function atLeast(min: number): Rule {
  return wholeNumber(min, Infinity, `a whole number from ${min}`);
}

/** A time that passes between two events, such as an age. It may be longer than a timer can be. */
export function ageMs(min: number): Rule {
  return wholeNumber(min, Infinity, `a whole number of milliseconds from ${min}`);
}

/** The longest timer there is: beyond it, timers go off at once. */
const maxTimerMs = 2 ** 31 - 1;

/** A time that a timer waits for. */
export function timerMs(min: number): Rule {
  const expected = `a whole number of milliseconds from ${min} to ${maxTimerMs} (24 days)`;
  return wholeNumber(min, maxTimerMs, expected);
}

export const port: Rule = wholeNumber(0, 65_535, "a whole number from 0 to 65535");

/** An HTTP URL without query and fragment, so that paths can be appended. */
export const baseUrl: Rule = rule((value) => {
  const example = "a URL such as https://example.com/agents";
  if (typeof value !== "string" || value === "") return example;
  const given = parse(value);
  if (given?.protocol === "http:" || given?.protocol === "https:") {
    return given.search === "" && given.hash === "" && /^https?:\/\//i.test(value)
      ? undefined
      : "a URL without query and fragment, to which paths can be appended";
  }
  const isBare = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(value);
  const scheme = /^(?:localhost|127\.)/i.test(value) ? "http" : "https";
  return isBare ? `a URL with its scheme: ${scheme}://${value}` : example;
});

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/** Where traces, metrics and logs go. */
export const telemetry: Rule = fields<Readonly<Record<"tracer" | "metrics" | "log", unknown>>>({
  tracer: withMethods(["startSpan", "active"], "a tracer"),
  metrics: withMethods(["counter", "histogram", "gauge"], "metrics"),
  log: callback,
});
