import { expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { chooseAgents } from "./choose-agents.js";

const define = (name: string) => ({ name, description: "Answers", run: () => name });
const one = agent(define("One"));
const two = agent(define("Two"));
const choose = (exports: Readonly<Record<string, unknown>>) => chooseAgents(exports, "./agent.ts");

it("the default export is the agent, also under another name", () => {
  expect(choose({ default: one, one, limit: 5, help: () => "" })).toBe(one);
});

it("a single agent needs no default export", () => {
  expect(choose({ one, createTwo: () => two })).toBe(one);
});

it("several agents are at their names, the default export at the root", () => {
  expect(choose({ one, two })).toEqual({ "/one": one, "/two": two });
  expect(choose({ default: one, two })).toEqual({ "/": one, "/two": two });
});

it("the default export may be agents by their paths", () => {
  expect(choose({ default: { "/a": one, "/b": two } })).toEqual({ "/a": one, "/b": two });
  const auth = { authenticate: async () => undefined };
  expect(choose({ default: { "/a": { agent: one, auth } } })).toEqual({
    "/a": { agent: one, auth },
  });
});

it("a definition becomes an agent", () => {
  expect(choose({ default: define("Three") })).toMatchObject({ name: "Three", durable: false });
});

it.each([
  [{}, "./agent.ts exports no agent; found nothing; expected export default agent("],
  [{ createAgent: () => one }, "found createAgent (a function; call it"],
  [{ default: {}, limit: 5 }, "found default (object), limit (number)"],
  [{ default: { "/a": 5 } }, "found default (object)"],
])("%j is no agent, and the error says what was found", (exports, problem) => {
  expect(() => choose(exports)).toThrow(problem);
});
