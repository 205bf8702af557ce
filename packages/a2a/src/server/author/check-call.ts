import { callback, count, either, fields, rule, text, timerMs } from "../../options/internal.js";
import type { Rule } from "../../options/internal.js";
import type { NextMessageOptions, QuestionOptions, StreamOptions } from "./run-context.js";
import type { StepOptions } from "./step.js";

const factor = rule((value) =>
  typeof value === "number" && value >= 1 && value <= 1000 ? undefined : "a number from 1",
);

/** Authors may mean no limit. */
const orNone = (limit: Rule): Rule => either((value) => value === Infinity, limit);

const backoff = fields<NonNullable<StepOptions["backoff"]>>({
  firstMs: timerMs(0),
  factor,
  maxMs: orNone(timerMs(0)),
});

const stepOptions = fields<StepOptions>({
  retries: orNone(count(0)),
  timeoutMs: orNone(timerMs(1)),
  backoff,
});
const questionOptions = fields<QuestionOptions>({ name: text() });
const streamOptions = fields<StreamOptions>({ artifact: text(), name: text() });

const nextMessageOptions = fields<NextMessageOptions>({
  signal: rule((value) => (value instanceof AbortSignal ? undefined : "an AbortSignal")),
});

const source = rule((value) => (isSource(value) ? undefined : sourceForms));
const sourceForms =
  "an async iterable or a ReadableStream of text, or a function that returns one, such as () => chunks()";

/** Throws, in the name of the call, when a handler calls `step` with something else. */
export function checkStep(name: unknown, work: unknown, options: unknown): void {
  check("step()", text(), name, "its name");
  const call = `step(${JSON.stringify(name)})`;
  check(call, callback, work, "its work");
  if (options !== undefined) check(call, stepOptions, options, "");
}

/** Throws, in the name of the call, when a handler gives `ask` or `authRequired` other options. */
export function checkQuestion(call: string, options: unknown): void {
  if (options !== undefined) check(call, questionOptions, options, "");
}

/** Throws when a handler gives `nextMessage` other options. */
export function checkNextMessage(options: unknown): void {
  if (options !== undefined) check("nextMessage()", nextMessageOptions, options, "");
}

/** Throws, in the name of the call, when a handler calls `stream` with something else. */
export function checkStream(name: unknown, given: unknown, options: unknown): void {
  check("stream()", text(), name, "its name");
  const call = `stream(${JSON.stringify(name)})`;
  if (typeof given !== "function") checkSource(name as string, given);
  if (options !== undefined) check(call, streamOptions, options, "");
}

/** Throws, in the name of the call, when what a stream reads from is no source. */
export function checkSource(name: string, given: unknown): void {
  check(`stream(${JSON.stringify(name)})`, source, given, "its source");
}

function isSource(value: unknown): boolean {
  const isObject = typeof value === "object" && value !== null;
  return isObject && (Symbol.asyncIterator in value || "getReader" in value);
}

function check(call: string, expected: Rule, value: unknown, what: string): void {
  const problem = expected.problem(value, what);
  if (problem !== undefined) throw new Error(`${call}: ${problem}`);
}
