import { describe, expect, it } from "vitest";
import { isStreaming } from "../../src/protocol/internal.js";
import type { AgentCard, JsonObject, Operation, ProtocolVersion, StreamEvent } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { loadFixtures } from "../support/files/load-fixtures.js";

interface SeedAnswer {
  readonly wire: JsonObject;
  readonly model?: JsonObject;
  readonly error?: { readonly code: string; readonly message: string };
}

interface SeedFixture {
  readonly binding: string;
  readonly dialects?: readonly string[];
  readonly operation?: Operation;
  readonly known?: {
    readonly taskId?: string;
    readonly contextId?: string;
    readonly config?: JsonObject;
  };
  readonly answers: readonly SeedAnswer[];
}

/** The versions under which a client reads a dialect. */
const versions: Readonly<Record<string, ProtocolVersion>> = {
  "0.1": "0.1",
  "0.3": "0.3",
  "1.0": "1.0",
};

const cases = loadFixtures<SeedFixture>("seeds", (path) => path.includes("/responses/")).flatMap(
  ({ name, binding, dialects = [], operation, known = {}, answers }) =>
    dialects.flatMap((dialect) =>
      answers.map((answer, index) => ({
        title: `${name}, answer ${index} over ${binding} in ${dialect}`,
        binding,
        version: versions[dialect],
        operation,
        known,
        answer,
      })),
    ),
);

type Case = (typeof cases)[number];

/** An agent that answers as the seed prints it, with the fields that seeds print around events. */
function agentOf(
  { binding, operation, answer }: Case,
  version: ProtocolVersion,
): Promise<RemoteAgent> {
  const card: AgentCard = {
    name: "Seed",
    description: "Answers as printed",
    version: "1",
    supportedInterfaces: [
      { url: "https://seed.example", protocolBinding: binding, protocolVersion: version },
    ],
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
  };
  // The seeds' requests have ids of their own; those of this client begin with 1.
  const isRpc = binding === "JSONRPC";
  const text = JSON.stringify(isRpc ? { ...(answer.wire as object), id: 1 } : answer.wire);
  const event = answer.error === undefined ? "message" : "error";
  const isStream = operation !== undefined && isStreaming(operation);
  return connect(card, {
    fetch: async () =>
      isStream
        ? new Response(`id: 1704067200000\nevent: ${event}\ndata: ${text}\n\n`, {
            headers: { "Content-Type": "text/event-stream; charset=utf-8" },
          })
        : new Response(text, { headers: { "Content-Type": "application/json" } }),
  });
}

async function ask(
  { service }: RemoteAgent,
  one: Case,
  version: ProtocolVersion,
): Promise<unknown> {
  const { operation, known } = one;
  const { taskId, contextId } = known;
  const call = { version };
  const message = {
    messageId: "m",
    role: "ROLE_USER",
    parts: [{ text: "hi" }],
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
  } as const;
  const id = taskId ?? "t";
  const config = { url: "https://hook.example", ...known.config, taskId: id };
  const asked: Partial<Record<Operation, () => Promise<unknown>>> = {
    sendMessage: () => service.sendMessage({ message }, call),
    getTask: () => service.getTask({ id }, call),
    cancelTask: () => service.cancelTask({ id }, call),
    createTaskPushNotificationConfig: () => service.createTaskPushNotificationConfig(config, call),
    sendStreamingMessage: () => firstOf(service.sendStreamingMessage({ message }, call)),
    subscribeToTask: () => firstOf(service.subscribeToTask({ id }, call)),
  };
  const answer = operation === undefined ? undefined : asked[operation];
  if (answer === undefined) throw new Error(`expected what a seed shows, got ${operation}`);
  return answer();
}

async function firstOf(events: AsyncIterable<StreamEvent>): Promise<unknown> {
  for await (const { response, sequence } of events) {
    // A time is no place in a log.
    expect(sequence).toBeUndefined();
    return response;
  }
  throw new Error("expected an event");
}

describe("what a seed prints as an answer reaches the caller", () => {
  const told = cases.filter(
    ({ version, operation }) => version !== undefined && operation !== undefined,
  );

  it.each(told)("$title", async (one) => {
    const { answer, version = "1.0" } = one;
    const asked = ask(await agentOf(one, version), one, version);
    if (answer.error !== undefined) {
      await expect(asked).rejects.toMatchObject(answer.error);
      return;
    }
    const expected = JSON.parse(JSON.stringify(answer.model), blur) as unknown;
    expect(JSON.parse(JSON.stringify(await asked), blur)).toEqual(expected);
  });

  it("from every seed", () => {
    const seeds = new Set(told.map(({ title }) => title.slice(0, 1)));
    expect([...seeds]).toEqual(["0", "1", "2", "3", "4"]);
  });
});

/** Ids that were made up for what a peer leaves out are different each time. */
function blur(name: string, value: unknown): unknown {
  const isMadeUp = name === "messageId" && /^[\da-f]{8}-|^generated/.test(String(value));
  return isMadeUp ? "made up" : value;
}
