import { checkOptions, describeValue } from "../../options/internal.js";
import { definitionRule } from "./agent-rules.js";

const form = "agent({ name, description, run })";

/** Throws if a definition cannot become an agent. The error names the agent and the option. */
export function checkDefinition(definition: unknown): void {
  if (typeof definition !== "object" || definition === null) {
    const shown = definition === undefined ? "nothing" : describeValue(definition);
    throw new Error(`agent(): got ${shown}; expected ${form}`);
  }
  const members = definition as Readonly<Record<string, unknown>>;
  const { name } = members;
  const caller =
    typeof name === "string" && name !== "" ? `agent ${describeValue(name)}` : "agent()";
  if (typeof members["card"] === "function") {
    throw new Error(`${caller}: it is an agent already; expected its definition: ${form}`);
  }
  checkOptions(caller, definition, definitionRule);
}

/** What is wrong with a value in the place of an agent, in words; nothing if it is an agent. */
export function agentProblem(value: unknown): string | undefined {
  if (typeof value === "function") {
    const shown = describeValue(value);
    return `got ${shown}; expected an agent: agent({ name, description, run: ${value.name || "…"} })`;
  }
  if (typeof value !== "object" || value === null) {
    const shown = value === undefined ? "nothing" : describeValue(value);
    return `got ${shown}; expected an agent: ${form}`;
  }
  const { run, card, name, service } = value as Readonly<Record<string, unknown>>;
  if (typeof run === "function" && typeof card === "function") return undefined;
  if (typeof run === "function") {
    const shown = typeof name === "string" ? describeValue(name) : "it";
    return `${shown} is the definition of an agent; expected an agent: agent({ … })`;
  }
  if (service !== undefined && typeof card === "function") {
    return "got a runtime, which has its agent already; expected the agent itself";
  }
  return `got ${describeValue(value)}; expected an agent: ${form}`;
}
