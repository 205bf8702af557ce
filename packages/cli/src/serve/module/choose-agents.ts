import { agent } from "@parley/a2a";
import type { Agent, AgentDefinition } from "@parley/a2a";
import type { serve } from "@parley/a2a/node";

/** One agent, or several by their paths. */
export type Agents = Parameters<typeof serve>[0];

type Exports = Readonly<Record<string, unknown>>;

/**
 * The agents that a module exports. The default export is at `/`; it may be agents by their paths. Without one, a single agent is at
 * `/`, and several are at their names. Other exports are left alone. Throws if there is no agent.
 */
export function chooseAgents(exports: Exports, path: string): Agents {
  const { default: main, ...named } = exports;
  const byPath = isRecord(main) && !isAgentLike(main) ? agentsByPath(main) : undefined;
  if (byPath !== undefined) return byPath;
  const first = isAgentLike(main) ? toAgent(main) : undefined;
  const others = Object.entries(named).flatMap(([name, value]) =>
    isAgentLike(value) && value !== main ? [[`/${name}`, toAgent(value)] as const] : [],
  );
  const [only] = others;
  if (first === undefined && only === undefined) throw noAgent(exports, path);
  if (first === undefined)
    return others.length === 1 && only ? only[1] : Object.fromEntries(others);
  return others.length === 0 ? first : Object.fromEntries([["/", first], ...others]);
}

/** Whether a value is an agent, or what `agent()` makes one of. */
function isAgentLike(value: unknown): value is Agent | AgentDefinition {
  return isRecord(value) && typeof value["run"] === "function" && typeof value["name"] === "string";
}

function toAgent(value: Agent | AgentDefinition): Agent {
  return "card" in value ? value : agent(value);
}

function agentsByPath(value: Exports): Agents | undefined {
  const entries = Object.entries(value);
  if (entries.length === 0) return undefined;
  if (!entries.every(([path, one]) => path.startsWith("/") && isRecord(one))) return undefined;
  const agents = entries.map(([path, one]) => [path, isAgentLike(one) ? toAgent(one) : one]);
  return Object.fromEntries(agents) as Agents;
}

function isRecord(value: unknown): value is Exports {
  return typeof value === "object" && value !== null;
}

function noAgent(exports: Exports, path: string): Error {
  const found = Object.entries(exports).map(([name, value]) => `${name} (${kindOf(value)})`);
  const shown = found.length === 0 ? "nothing" : found.join(", ");
  return new Error(
    `${path} exports no agent; found ${shown}; expected export default agent({ name, description, run })`,
  );
}

function kindOf(value: unknown): string {
  if (typeof value === "function") return "a function; call it, and export what it returns";
  return value === null ? "null" : typeof value;
}
