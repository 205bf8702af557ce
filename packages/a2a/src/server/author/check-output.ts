import { describeValue, isObject, isPromise } from "../../options/internal.js";
import { MalformedOutput } from "./malformed-output.js";
import type { Content, Outcome, Output } from "./output.js";
import { contentRule, outcomeRule, outputRule } from "./output-rules.js";

/** Returns what an agent's handler yielded. Throws, with the value and what was expected, if it is no output. */
export function checkOutput(value: unknown, agent: string): Output {
  if (typeof value === "string") return value;
  const problem = Array.isArray(value)
    ? "yield its items one by one"
    : (kindProblem(value, "yield") ?? outputRule.problem(value, ""));
  if (problem !== undefined) throw refused(agent, `yielded ${describeValue(value)}`, problem);
  return value as Output;
}

/** Returns what an agent's handler returned. Throws, with the value and what was expected, if it is no outcome. */
export function checkOutcome(value: unknown, agent: string): Outcome {
  if (value === undefined || typeof value === "string") return value;
  const problem = Array.isArray(value)
    ? listProblem(value)
    : (kindProblem(value, "return") ?? misplaced(value) ?? outcomeRule.problem(value, ""));
  if (problem !== undefined) throw refused(agent, `returned ${describeValue(value)}`, problem);
  return value as Outcome;
}

/** Returns the content of a question or a reason. Throws in the name of the call, such as `ask()`. */
export function checkContent(value: unknown, call: string): Content {
  if (typeof value === "string") return value;
  const problem = contentRule.problem(value, "its content");
  if (problem !== undefined) throw new MalformedOutput(`${call}: ${problem}`);
  return value as Content;
}

const forms = {
  yield: "expected a string, a part such as { data }, { status } or { artifact }",
  return: "expected nothing, a string, a part such as { data }, { inputRequired } or { completed }",
};

/** What is wrong with a value that is no plain object. Knows what authors usually meant. */
function kindProblem(value: unknown, verb: "yield" | "return"): string | undefined {
  if (isPromise(value)) return `write ${verb} await`;
  if (!isObject(value)) return forms[verb];
  if (value instanceof Error) return "throw it, or call fail()";
  if (ArrayBuffer.isView(value)) return "give bytes as { file: { bytes } }";
  if (Symbol.asyncIterator in value) {
    return verb === "yield" ? "write yield*" : "write yield* in an async function*";
  }
  if (!(Symbol.iterator in value)) return undefined;
  if (verb === "yield") return "write yield*";
  return "next" in value ? "write async function* instead of function*" : forms.return;
}

/** What belongs to `yield`, or to a message that the handler got. */
function misplaced(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  if ("status" in value || "artifact" in value) return "yield it instead of returning it";
  return "parts" in value && Array.isArray(value.parts) ? "return its parts" : undefined;
}

function listProblem(value: readonly unknown[]): string | undefined {
  if (value.length === 0) return "expected at least one part";
  return contentRule.problem(value, "it");
}

function refused(agent: string, deed: string, problem: string): MalformedOutput {
  return new MalformedOutput(`the handler of agent ${JSON.stringify(agent)} ${deed}; ${problem}`);
}
