import { expect, it } from "vitest";
import type { AgentCard, AgentService } from "../protocol/internal.js";
import { Hosts } from "./hosts.js";

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

it.each([
  [undefined, undefined],
  ["travel", undefined],
  ["travel/", undefined],
  ["travel/acme", "acme"],
  ["travel/acme/eu", "acme/eu"],
])("an agent that is called %j is told of the tenant %j", (named, told) => {
  const hosts = new Hosts({ mounts: [{ path: "/travel", agent }] });
  expect(hosts.find(named, "1.0").tenant).toBe(told);
});
