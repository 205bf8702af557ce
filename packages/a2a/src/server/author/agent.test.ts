import { describe, expect, it } from "vitest";
import { agent } from "./agent.js";
import type { AgentDefinition } from "./agent-definition.js";
import type { AgentCard } from "../../protocol/internal.js";

const echo = { name: "Echo", description: "Repeats", run: () => "x" };
const known =
  "name, description, run, durable, version, skills, inputModes, outputModes, provider, " +
  "documentationUrl, iconUrl, capabilities, extensions, securitySchemes, securityRequirements, extendedCard";

/** What an author without a compiler may write. */
const define = (definition: unknown): unknown => agent(definition as AgentDefinition);

describe("agent() refuses", () => {
  it.each<[string, unknown, string]>([
    ["nothing", undefined, "agent(): got nothing; expected agent({ name, description, run })"],
    ["a name", "Echo", 'agent(): got "Echo"; expected agent({ name, description, run })'],
    [
      "a handler",
      echo.run,
      "agent(): got the function run; expected agent({ name, description, run })",
    ],
    [
      "an agent",
      agent(echo),
      'agent "Echo": it is an agent already; expected its definition: agent({ name, description, run })',
    ],
    [
      "a misspelt option",
      { ...echo, desciption: "x" },
      'agent "Echo": desciption is unknown; did you mean description?',
    ],
    [
      "an option in other letters",
      { ...echo, documentationURL: "x" },
      'agent "Echo": documentationURL is unknown; did you mean documentationUrl?',
    ],
    [
      "a capability beside the capabilities",
      { ...echo, pushNotifications: true },
      'agent "Echo": pushNotifications is unknown; did you mean capabilities.pushNotifications?',
    ],
    [
      "an option that is like no other",
      { ...echo, colour: "red" },
      `agent "Echo": colour is unknown; expected one of ${known}`,
    ],
    [
      "no name",
      { ...echo, name: undefined },
      'agent(): name is missing; expected a name, such as "Echo"',
    ],
    [
      "an empty name",
      { ...echo, name: "" },
      'agent(): name is ""; expected a name, such as "Echo"',
    ],
    [
      "a name that is a number",
      { ...echo, name: 4 },
      'agent(): name is 4; expected a name, such as "Echo"',
    ],
    [
      "no description",
      { name: "Echo", run: echo.run },
      'agent "Echo": description is missing; expected a sentence that says what the agent does',
    ],
    [
      "no handler",
      { ...echo, run: undefined },
      'agent "Echo": run is missing; expected a function that answers a message',
    ],
    [
      "the result of a handler",
      { ...echo, run: Promise.resolve("x") },
      'agent "Echo": run is a promise that was not awaited; expected a function that answers a message',
    ],
    [
      "a handler that cannot wait",
      {
        ...echo,
        *run() {
          yield "x";
        },
      },
      'agent "Echo": run is the function run; expected async function*, not function*',
    ],
    [
      "durable that is no flag",
      { ...echo, durable: "yes" },
      'agent "Echo": durable is "yes"; expected true or false',
    ],
    [
      "a version that is a number",
      { ...echo, version: 1 },
      'agent "Echo": version is 1; expected a version, such as "1.0.0"',
    ],
    [
      "skills that are no list",
      { ...echo, skills: { name: "One" } },
      'agent "Echo": skills is an object with name; expected a list of skills, such as [{ name }]',
    ],
    [
      "a skill that is a string",
      { ...echo, skills: [{ name: "One" }, "Two"] },
      'agent "Echo": skills[1] is a string; expected an object',
    ],
    [
      "a skill without a name",
      { ...echo, skills: [{ id: "one" }] },
      'agent "Echo": skills[0].name is missing; expected a name, such as "Translate"',
    ],
    [
      "a misspelt member of a skill",
      { ...echo, skills: [{ name: "One", exmples: [] }] },
      'agent "Echo": skills[0].exmples is unknown; did you mean examples?',
    ],
    [
      "tags that are no list",
      { ...echo, skills: [{ name: "One", tags: "a, b" }] },
      'agent "Echo": skills[0].tags is "a, b"; expected a list of strings',
    ],
    [
      "one mode in place of a list",
      { ...echo, inputModes: "text/plain" },
      'agent "Echo": inputModes is "text/plain"; expected a list of media types, such as ["text/plain"]',
    ],
    [
      "a mode that is none",
      { ...echo, outputModes: [null] },
      'agent "Echo": outputModes[0] is null; expected a media type such as text/plain',
    ],
    ...["text", "*", "text/", "text/plain, text/html"].map((mode): [string, object, string] => [
      `a mode that is no media type: ${mode}`,
      { ...echo, inputModes: ["image/*", "text/plain; charset=utf-8", mode] },
      `agent "Echo": inputModes[2] is "${mode}"; expected a media type such as text/plain`,
    ]),
    [
      "capabilities as a list",
      { ...echo, capabilities: ["streaming"] },
      'agent "Echo": capabilities is a list; expected an object',
    ],
    [
      "a misspelt capability",
      { ...echo, capabilities: { pushNotification: true } },
      'agent "Echo": capabilities.pushNotification is unknown; did you mean pushNotifications?',
    ],
    [
      "an extension without a URI",
      { ...echo, capabilities: { extensions: [{ required: true }] } },
      'agent "Echo": capabilities.extensions[0].uri is missing; expected the URI of the extension',
    ],
    [
      "half a provider",
      { ...echo, provider: { organization: "Acme" } },
      'agent "Echo": provider.url is missing; expected a string',
    ],
    [
      "schemes that are no object",
      { ...echo, securitySchemes: ["oidc"] },
      'agent "Echo": securitySchemes is a list; expected an object',
    ],
    [
      "requirements that are no list",
      { ...echo, securityRequirements: { oidc: [] } },
      'agent "Echo": securityRequirements is an object with oidc; expected a list of requirements, such as [{ oidc: [] }]',
    ],
    [
      "a card in place of the function that makes it",
      { ...echo, extendedCard: { name: "Echo" } },
      'agent "Echo": extendedCard is an object with name; expected a function that makes the card of an authenticated caller: (card, call) => ({ ...card })',
    ],
  ])("%s", (_, definition, message) => {
    expect(() => define(definition)).toThrow(new Error(message));
  });
});

it("agent() declares the extended card that it is given, and none otherwise", () => {
  const extended = agent({
    ...echo,
    extendedCard: (card: AgentCard) => card,
    capabilities: { streaming: false },
  });
  expect(extended.capabilities).toEqual({ streaming: false, extendedAgentCard: true });
  expect(extended.card([]).capabilities.extendedAgentCard).toBe(true);
  expect(agent(echo).capabilities).toEqual({ streaming: true });
  expect(agent(echo)).not.toHaveProperty("extendedCard");
});

it("agent() takes an option that is undefined for one that is absent", () => {
  const made = define({ ...echo, skills: undefined, durable: undefined, capabilities: undefined });
  expect(made).toMatchObject({ name: "Echo", durable: false, capabilities: { streaming: true } });
});
