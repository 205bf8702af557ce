import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { createLog, serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { connectOver, interfaces } from "../client/open-agent.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import type { Receiver } from "../support/servers/open-receiver.js";
import { createNodeMetrics } from "./read-registry.js";
import type { NodeMetrics } from "./read-registry.js";
import { recordSpans } from "./record-spans.js";
import type { RecordedSpans } from "./record-spans.js";

/** It stands in every place where people and programs put their content and their secrets. */
const canary = "canary-in-a-coal-mine";

let recorded: RecordedSpans;
let counted: NodeMetrics;
let server: Server;
let receiver: Receiver;
const lines: string[] = [];
let log = openLog();

/** A log that has folded nothing yet. */
function openLog() {
  return createLog({ level: "debug", format: "json", write: (line) => void lines.push(line) });
}

/** Repeats what it is told wherever an agent can tell something. */
const parrot = agent({
  name: "Parrot",
  description: "Repeats what it is told",
  capabilities: { streaming: true, pushNotifications: true },
  inputModes: ["*/*"],
  async *run({ text, message, step, ask, fail }) {
    yield { status: text };
    if (text.startsWith("throw")) throw new TypeError("a mistake", { cause: { text } });
    if (text.startsWith("fail")) fail(text);
    const said = await step("repeat", () => ({ text, message }));
    if (text.startsWith("ask")) await ask(text);
    yield { artifact: "out", text: said.text, name: text, description: text, metadata: { text } };
    yield { artifact: "data", data: { text } };
  },
});

beforeAll(async () => {
  recorded = recordSpans();
  counted = createNodeMetrics();
  const { tracer } = recorded.telemetry;
  // Refuses what it is sent, so that there is something to tell of it.
  receiver = await openReceiver({
    answer: (response) => response.writeHead(500, { "X-Secret": canary }).end(canary),
  });
  server = await serve(parrot, {
    port: 0,
    grpc: { port: 0 },
    store: createMemoryStore(),
    push: { allowPrivate: true, schemes: ["http"] },
    telemetry: {
      ...(tracer && { tracer }),
      metrics: counted.metrics,
      log: (...event) => log(...event),
    },
  });
});
afterAll(async () => {
  await server.close();
  await receiver[Symbol.asyncDispose]();
  recorded[Symbol.dispose]();
});

/** Everything that an operator sees. */
function seen(): string {
  const spans = recorded.all().map(({ name, attributes, events, links, status }) => {
    const followed = links.map(({ context, attributes: own }) => ({ ...context, own }));
    return { name, attributes, events, status, followed };
  });
  return JSON.stringify([spans, lines, counted.samples()]);
}

describe.each(interfaces)("over %s %s", (binding, version) => {
  it("nothing that a caller says, and no secret of its own, is seen by an operator or told in an error", async () => {
    recorded.clear();
    lines.length = 0;
    log = openLog();
    const { tracer } = recorded.telemetry;
    const caller = await connectOver(server.url, [binding, version], {
      telemetry: { ...(tracer && { tracer }), metrics: counted.metrics },
      headers: { Authorization: `Bearer ${canary}`, "X-Secret": canary, Cookie: `id=${canary}` },
      grpcAddress: server.grpcAddress,
    });
    const before = receiver.received.length;
    const metadata = { [canary]: canary };
    const told: string[] = [];
    for (const word of ["go", "ask", "fail", "throw"]) {
      const parts = [
        { text: `${word} ${canary}`, metadata },
        { data: { [canary]: canary } },
        { raw: btoa(canary), filename: canary, mediaType: `text/x-${canary}` },
        { url: `https://files.example/${canary}?key=${canary}` },
      ];
      const message = {
        messageId: crypto.randomUUID(),
        role: "ROLE_USER",
        parts,
        metadata,
      } as const;
      const url = `${receiver.url}/${canary}?token=${canary}`;
      const authentication = { scheme: "Bearer", credentials: canary };
      const config = { url, token: canary, authentication };
      const configuration = { taskPushNotificationConfig: config };
      const { task } = await caller.service.sendMessage({ message, configuration, metadata });
      if (word === "throw") told.push(JSON.stringify(task?.status));
    }
    await receiver.until(before + 1);
    await expect.poll(() => recorded.named("push POST").length).toBeGreaterThan(0);
    // There is something to be seen: a failed run, a failed push, spans on both sides.
    const shown = seen();
    for (const what of ["run.failed", "push.postponed", "step repeat", "TypeError", "Parrot"]) {
      expect(shown).toContain(what);
    }
    expect(shown).not.toContain(canary);
    expect(told.join(), "a failure is told by its reference").toMatch(
      /The agent failed \([\w-]+\)/,
    );
    expect(told.join()).not.toContain(canary);
  });
});
