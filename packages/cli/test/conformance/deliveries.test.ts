import { describe, expect, it } from "vitest";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { deliveryChecks } from "../../src/conformance/checks/deliveries.js";
import { Subject } from "../../src/conformance/subject.js";
import { demoAgent } from "../../src/demo-agent.js";
import { findDocuments } from "@parley/inspector/probe";
import { openSession } from "../../src/probe/session.js";
import { openScriptedAgent, taskIn } from "../client/scripted-agent.js";

type Verdicts = Readonly<Record<string, readonly string[]>>;

/** What is said of the deliveries of an agent, at its interfaces of 1.0: the requirements by their verdict, without `push:`. */
async function judge(url: string, timeoutMs = 20_000): Promise<readonly Verdicts[]> {
  const fetch = (place: string, init: RequestInit) => globalThis.fetch(place, init);
  const documents = await findDocuments(url, { fetch, timeoutMs });
  const { card, document } = documents.find((one) => one.card !== undefined) ?? {};
  if (card === undefined) throw new Error("there is no card");
  const interfaces = card.supportedInterfaces.filter((one) => one.protocolVersion === "1.0");
  const target = { card, interfaces, document, connect: {}, timeoutMs };
  return Promise.all(
    interfaces.map(async (declared) => {
      using session = await openSession(target, declared);
      const subject = new Subject(target, session, { message: "task hello" });
      const verdicts: Record<string, string[]> = {};
      for (const check of deliveryChecks) {
        const { status } = await check.run(subject);
        (verdicts[status] ??= []).push(check.id.replace("push:", ""));
      }
      return verdicts;
    }),
  );
}

const all = deliveryChecks.map(({ id }) => id.replace("push:", ""));

interface Posted {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An agent that posts what a test says to the webhooks that it is given. */
function openPoster(posts: (token: string, credentials: string) => readonly Posted[]) {
  return openScriptedAgent({
    card: { capabilities: { pushNotifications: true } },
    answer: ({ method, params }) => {
      if (method !== "SendMessage") return taskIn("COMPLETED");
      const { configuration = {} } = params as { configuration?: { [name: string]: unknown } };
      const config = configuration["taskPushNotificationConfig"] as
        { url: string; token: string; authentication: { credentials: string } } | undefined;
      if (config?.url.startsWith("http://") === true) {
        for (const { body, headers = {} } of posts(
          config.token,
          config.authentication.credentials,
        )) {
          void fetch(config.url, { method: "POST", body, headers });
        }
      }
      return { task: taskIn("COMPLETED") };
    },
  });
}

const ended = JSON.stringify({ task: taskIn("COMPLETED") });

describe("deliveries of push notifications", () => {
  it("are received and found good at every interface of our server", async () => {
    await using server = await serve(demoAgent, {
      port: 0,
      store: createMemoryStore(),
      grpc: { port: 0, inCard: true },
      push: { allowPrivate: true },
      report: () => undefined,
    });
    expect(await judge(server.url)).toEqual([{ pass: all }, { pass: all }, { pass: all }]);
  });

  it("are not looked for where the agent refuses webhooks on this machine", async () => {
    await using server = await serve(demoAgent, {
      port: 0,
      store: createMemoryStore(),
      grpc: false,
    });
    expect(await judge(server.url)).toEqual([{ skip: all }, { skip: all }]);
  });

  it.each<[string, Parameters<typeof openPoster>[0], readonly string[]]>([
    ["nothing comes", () => [], ["create-delivers"]],
    [
      "the task comes as 0.3 has it, without credentials",
      () => [
        {
          body: JSON.stringify({ kind: "task", id: "t", status: { state: "completed" } }),
          headers: { "Content-Type": "application/json", "X-A2A-Notification-Token": "guessed" },
        },
      ],
      ["at-least-once", "payload", "http-json", "content-type", "credentials", "token"],
    ],
    [
      "the credentials are in another scheme",
      (token, credentials) => [
        {
          body: ended,
          headers: {
            "Content-Type": "application/a2a+json",
            Authorization: `Basic ${credentials}`,
            "X-A2A-Notification-Token": token,
          },
        },
      ],
      ["credentials"],
    ],
  ])("are found bad when %s", async (_, posts, broken) => {
    await using agent = await openPoster(posts);
    // Without an end, deliveries are waited for as long as a call may take.
    const [verdicts] = await judge(agent.url, 2000);
    expect(verdicts?.["fail"]).toEqual(broken);
  });
});
