import process from "node:process";
import type { Agent } from "@parley/a2a";
import type { ServeOptions } from "@parley/a2a/node";
import type { BackendCard } from "./backend-agent.js";
import type { ServeFlags } from "./flags.js";
import type { Agents } from "./module/choose-agents.js";
import { refuse } from "./refuse.js";

/** What a command line serves. */
export interface Backend {
  readonly agents: Agents;
  /** What a caller may say to it, to try it. */
  readonly example: string;
  /** Limits that suit it, unless the operator sets others. */
  readonly settings?: NonNullable<ServeOptions["settings"]>;
}

/** What a command line is about, beside options. */
export interface BackendSource {
  readonly flags: ServeFlags;
  readonly modules: readonly string[];
  /** Callers authenticate. */
  readonly isAuthenticated: boolean;
  /** Is told the path of each file of a module that is loaded. */
  readonly onFile?: (path: string) => void;
}

/** How many programs run at the same time: each is a process, and may be a large one. */
const maxPrograms = 32;

const kinds = ["exec", "http", "openai", "a2a"] as const;

/** Opens what is served: a module, a program, a service, a model, another agent, or the demo. */
export async function openBackend(source: BackendSource): Promise<Backend> {
  const { flags, modules, onFile } = source;
  const given = [...modules, ...kinds.filter((kind) => flags[kind] !== undefined)];
  const [first, second] = given.map((one) => (isKind(one) ? `--${one}` : one));
  if (second !== undefined) throw refuse(`serve takes one of ${first} and ${second}, not both`);
  checkFlags(flags, modules.length > 0);
  const card = cardOf(flags);
  const example = "hello";
  const [module] = modules;
  if (module !== undefined) {
    const { loadAgents } = await import("./module/load-agents.js");
    return { agents: await loadAgents(module, onFile), example };
  }
  if (flags.exec !== undefined) {
    const { createExecAgent } = await import("./exec/exec-agent.js");
    const { splitWords } = await import("./exec/split-words.js");
    const { checkProgram } = await import("./exec/find-program.js");
    const words = splitWords(flags.exec, "--exec");
    checkProgram(words[0] ?? "", "--exec");
    const settings = { maxConcurrentRuns: maxPrograms };
    return { agents: createExecAgent({ ...card, words }), example, settings };
  }
  if (flags.http !== undefined) {
    const { createHttpAgent } = await import("./http/http-agent.js");
    const url = checkUrl("--http", flags.http);
    return { agents: createHttpAgent({ ...card, url, headers: readHeaders(flags) }), example };
  }
  if (flags.openai !== undefined) {
    const { createOpenAiAgent } = await import("./openai/openai-agent.js");
    const baseUrl = checkUrl("--openai", flags.openai);
    const { model, system } = flags;
    if (model === undefined) throw refuse("--openai needs --model NAME");
    const { OPENAI_API_KEY: apiKey = "" } = process.env;
    const options = { ...(apiKey !== "" && { apiKey }), ...(system !== undefined && { system }) };
    return { agents: createOpenAiAgent({ ...card, baseUrl, model, ...options }), example };
  }
  if (flags.a2a !== undefined) {
    const { createGatewayAgent } = await import("./gateway/gateway-agent.js");
    const options = { ...card, reference: flags.a2a, headers: readHeaders(flags) };
    return { agents: await createGatewayAgent(options), example };
  }
  return { agents: await demo(source.isAuthenticated), example: "echo hello" };
}

async function demo(isAuthenticated: boolean): Promise<Agent> {
  const { demoAgent, extendedDemoAgent } = await import("../demo-agent.js");
  return isAuthenticated ? extendedDemoAgent : demoAgent;
}

function isKind(text: string): boolean {
  return kinds.some((kind) => kind === text);
}

/** Refuses options that have no meaning for what is served. */
function checkFlags(flags: ServeFlags, isModule: boolean): void {
  const needs = (option: keyof ServeFlags, isThere: boolean, what: string): void => {
    const value = flags[option];
    const isGiven = Array.isArray(value)
      ? value.length > 0
      : value !== undefined && value !== false;
    if (isGiven && !isThere) throw refuse(`--${option} is for ${what}`);
  };
  const isBackend = kinds.some((kind) => flags[kind] !== undefined);
  needs("watch", isModule, "a module: parley serve ./agent.ts --watch");
  needs("model", flags.openai !== undefined, "--openai");
  needs("system", flags.openai !== undefined, "--openai");
  needs("header", (flags.http ?? flags.a2a) !== undefined, "--http and --a2a");
  const others = "--exec, --http, --openai and --a2a; a module says it itself";
  needs("name", isBackend, others);
  needs("description", isBackend, others);
  needs("at-most-once", isBackend, others);
}

function cardOf({ name, description, "at-most-once": atMostOnce }: ServeFlags): BackendCard {
  return {
    atMostOnce,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  };
}

function checkUrl(option: string, url: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  throw refuse(`${option} must be a URL such as http://127.0.0.1:8000/, not ${url}`);
}

/** The headers for a backend: those of the options, and the token of PARLEY_BACKEND_TOKEN. */
function readHeaders({ header: lines }: ServeFlags): Readonly<Record<string, string>> {
  const { PARLEY_BACKEND_TOKEN: token = "" } = process.env;
  const given = lines.map((line, index) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e]*)$/.exec(line) ?? [];
    // It may be a secret, so it is not shown.
    if (name === undefined || value === undefined) {
      throw refuse(`--header, number ${index + 1}, must be a line such as "X-Team: travel"`);
    }
    return [name, value] as const;
  });
  return {
    ...(token !== "" && { Authorization: `Bearer ${token}` }),
    ...Object.fromEntries(given),
  };
}
