import { describe, expect, it } from "vitest";
import { eventIdExtension } from "../protocol/internal.js";
import type { AgentCard, AgentService } from "../protocol/internal.js";
import { agentFor, MountTable } from "./mount-table.js";
import type { Mount } from "./mount.js";

const card: AgentCard = {
  name: "Any",
  description: "Any",
  version: "1",
  supportedInterfaces: [],
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
const agent = { service: {} as AgentService, card: () => card };

function tableOf(...mounts: readonly Omit<Mount, "agent">[]): MountTable {
  return new MountTable({ mounts: mounts.map((mount) => ({ agent, ...mount })) });
}

it.each([
  [undefined, undefined],
  ["travel", undefined],
  ["travel/", undefined],
  ["travel/acme", "acme"],
  ["travel/acme/eu", "acme/eu"],
])("an agent that is called %j is told of the tenant %j", (named, told) => {
  const found = tableOf({ path: "/travel" }).named(named);
  expect(found?.agent.path).toBe("/travel");
  expect(found?.tenant).toBe(told);
});

describe("a path and a tenant", () => {
  const table = tableOf({}, { path: "/travel" }, { path: "/travel/", tenant: "acme" });

  it.each([
    ["/", "/other", undefined, ""],
    ["below a path", "/travel/tasks/1", undefined, "/travel"],
    ["at the URL of a tenant", "/travel/acme", undefined, "/travel"],
    ["beside a path that only begins alike", "/travels", undefined, ""],
  ])("lead to one agent over HTTP: %s", (_, path, tenant, expected) => {
    const point = table.pointAt(path);
    expect(point && agentFor(point, tenant).path).toBe(expected);
  });

  it.each([
    ["travel/acme", "/travel", "acme", "acme"],
    ["travel/globex", "/travel", undefined, "globex"],
    ["acme", "", undefined, "acme"],
    [undefined, "", undefined, undefined],
  ])("lead to the same agent by name: %j", (name, path, own, told) => {
    const found = table.named(name);
    expect(found?.agent).toMatchObject({ path, tenant: own });
    expect(found?.tenant).toBe(told);
  });
});

it("finds no agent by a name that none has, nor without one where several are served", () => {
  const table = tableOf({ path: "/a" }, { path: "/b" });
  expect(table.named("c")).toBeUndefined();
  expect(table.named(undefined)).toBeUndefined();
});

it.each<[string, readonly Omit<Mount, "agent">[], string]>([
  ["no agent", [], "there is no agent to serve"],
  ["two agents at one path", [{}, { path: "/" }], "two agents are mounted at /"],
  [
    "an agent at the URL of another's tenant",
    [{ tenant: "acme" }, { path: "/acme" }],
    "two agents are mounted at /acme",
  ],
  ["a path with a query", [{ path: "/a?b" }], "/a?b is not the path of a URL"],
])("is refused, whatever the binding: %s", (_, mounts, message) => {
  expect(() => tableOf(...mounts)).toThrow(message);
});

it("is refused by a binding without paths only: two agents of one name, though their URLs differ", () => {
  const table = tableOf({ path: "/v1" }, { tenant: "v1" });
  expect(() => table.checkNames()).toThrow("two agents are named v1 over gRPC");
});

it("adds the extensions of the binding to those of the card, each once", () => {
  const declared = { ...eventIdExtension, description: "the card's own" };
  const declaring = {
    ...agent,
    card: () => ({ ...card, capabilities: { extensions: [declared] } }),
  };
  const provided = [eventIdExtension];
  const extensionsOf = (mount: Mount) =>
    new MountTable({ mounts: [mount], provided }).named(undefined)?.agent.extensions;
  expect(extensionsOf({ agent })).toEqual([eventIdExtension]);
  expect(extensionsOf({ agent: declaring })).toEqual([declared]);
});
