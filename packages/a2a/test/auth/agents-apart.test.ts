import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import type { Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openFolder } from "../support/files/open-folder.js";
import { jsonOf, rpc, say, sayEarlier, sayOldest, send } from "../support/clients/http-client.js";
import type { JsonBody } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

/** What an agent tells names the agent, so that an answer of one agent at the other shows. */
const teller = (name: string) =>
  agent({
    name,
    description: "Tells its name, and what it finds of its caller",
    capabilities: { pushNotifications: true, streaming: true },
    run: async ({ text, earlierTasks, referencedTasks }) => {
      if (text === "reply") return `the reply of ${name}`;
      const found = [...(await earlierTasks()), ...(await referencedTasks())];
      return { inputRequired: `the secret of ${name}, who found ${JSON.stringify(found)}` };
    },
  });

/** An authenticator that knows one key. Both name its holder alike, and the holders are two people. */
async function keyring() {
  const { key, hash } = await createKey();
  const scheme = apiKey({ in: "header", name: "X-API-Key", keys: [{ subject: "ada", hash }] });
  return { key, auth: createAuthenticator({ schemes: { key: scheme } }) };
}

type Headers = Readonly<Record<string, string>>;

/** Calls an agent as its own Ada. */
type Ask = (method: string, params: object, headers?: Headers) => Promise<JsonBody>;

/** What the Ada of One has, and how the two call. */
interface Scene {
  readonly one: Ask;
  readonly two: Ask;
  readonly id: string;
}

const hook = { url: "https://hook.example/" };
const notFound = { error: { code: -32001 } };

/** What the Ada of Two is told: that there is no such task, nothing at all, or what Two itself makes of it. */
const outcomes = {
  "there is no such task": (answer: JsonBody) => expect(answer).toMatchObject(notFound),
  "there is nothing": (answer: JsonBody) =>
    expect(answer.result).toMatchObject({ tasks: [], totalSize: 0 }),
  "it gets its own": (answer: JsonBody) => expect(JSON.stringify(answer)).toContain("of Two"),
  "the token is not valid": (answer: JsonBody) => expect(answer.error.code).toBe(-32602),
};

type Way = readonly [
  way: string,
  outcome: keyof typeof outcomes,
  ask: (scene: Scene) => Promise<JsonBody>,
];

const key = (name: string): Headers => ({ "Idempotency-Key": name });

const ways: readonly Way[] = [
  ["getting it by its id", "there is no such task", ({ two, id }) => two("GetTask", { id })],
  ["canceling it", "there is no such task", ({ two, id }) => two("CancelTask", { id })],
  ["watching it", "there is no such task", ({ two, id }) => two("SubscribeToTask", { id })],
  [
    "resuming a stream of it",
    "there is no such task",
    ({ two, id }) => two("SubscribeToTask", { id }, { "Last-Event-ID": "1" }),
  ],
  [
    "going on with it",
    "there is no such task",
    ({ two, id }) => two("SendMessage", say("go", { taskId: id })),
  ],
  [
    "getting it by the id of its message",
    "there is no such task",
    async ({ one, two }) => {
      await one("message/send", sayEarlier("go", { messageId: "message of One" }));
      return two("tasks/get", { id: "message of One" });
    },
  ],
  [
    "the id of a message that both got",
    "it gets its own",
    async ({ one, two }) => {
      const shared = sayEarlier("go", { messageId: "message of both" });
      await one("message/send", shared);
      await two("message/send", shared);
      return two("tasks/get", { id: "message of both" });
    },
  ],
  [
    "its idempotency key",
    "it gets its own",
    async ({ one, two }) => {
      const shared = say("go");
      await one("SendMessage", shared, key("task"));
      return two("SendMessage", shared, key("task"));
    },
  ],
  [
    "the idempotency key of a reply",
    "it gets its own",
    async ({ one, two }) => {
      const shared = say("reply");
      await one("SendMessage", shared, key("reply"));
      return two("SendMessage", shared, key("reply"));
    },
  ],
  [
    "an idempotency key that One has used for something else",
    "it gets its own",
    async ({ one, two }) => {
      await one("SendMessage", say("go"), key("another"));
      return two("SendMessage", say("reply"), key("another"));
    },
  ],
  [
    "the id of a message, which counts as a key",
    "it gets its own",
    async ({ one, two }) => {
      const shared = say("go", { messageId: "counts" });
      await one("SendMessage", shared);
      return two("SendMessage", shared);
    },
  ],
  [
    "listing its context",
    "there is nothing",
    async ({ one, two }) => {
      await one("SendMessage", say("go", { contextId: "of One" }));
      return two("ListTasks", { contextId: "of One" });
    },
  ],
  [
    "a run in its context",
    "it gets its own",
    async ({ one, two }) => {
      await one("SendMessage", say("go", { contextId: "of both" }));
      return two("SendMessage", say("go", { contextId: "of both" }));
    },
  ],
  [
    "a run that is told of it",
    "it gets its own",
    ({ two, id }) => two("SendMessage", say("go", { referenceTaskIds: [id] })),
  ],
  [
    "a token for the next page of One's tasks",
    "the token is not valid",
    async ({ one, two }) => {
      await one("SendMessage", say("go"));
      await one("SendMessage", say("go"));
      const { result } = await one("ListTasks", { pageSize: 1 });
      expect(result.nextPageToken).not.toBe("");
      return two("ListTasks", { pageSize: 1, pageToken: result.nextPageToken });
    },
  ],
  [
    "registering a webhook for it",
    "there is no such task",
    ({ two, id }) => two("CreateTaskPushNotificationConfig", { taskId: id, ...hook }),
  ],
  [
    "getting its webhook",
    "there is no such task",
    async ({ one, two, id }) => {
      await one("CreateTaskPushNotificationConfig", { taskId: id, id: "c", ...hook });
      return two("GetTaskPushNotificationConfig", { taskId: id, id: "c" });
    },
  ],
  [
    "listing its webhooks",
    "there is no such task",
    ({ two, id }) => two("ListTaskPushNotificationConfigs", { taskId: id }),
  ],
  [
    "deleting its webhook",
    "there is no such task",
    ({ two, id }) => two("DeleteTaskPushNotificationConfig", { taskId: id, id: "c" }),
  ],
  [
    "getting a kept reply",
    "there is no such task",
    async ({ one, two }) => {
      const { result } = await one("message/send", sayEarlier("reply"));
      expect((await one("tasks/get", { id: result.messageId })).result.id).toBe(result.messageId);
      return two("tasks/get", { id: result.messageId });
    },
  ],
  [
    "getting it by the id that One's Ada chose",
    "there is no such task",
    async ({ one, two }) => {
      await one("tasks/send", sayOldest("chosen by One", "go"));
      return two("tasks/get", { id: "chosen by One" });
    },
  ],
  [
    "an id that both have chosen",
    "it gets its own",
    async ({ one, two }) => {
      await one("tasks/send", sayOldest("chosen by both", "go"));
      return two("tasks/send", sayOldest("chosen by both", "go"));
    },
  ],
];

describe.each(["memory", "sqlite"] as const)("a task of One in a store in %s", (kind) => {
  let server: Server;
  let scene: Scene;
  const cleanup: AsyncDisposable[] = [];

  beforeAll(async () => {
    const folder = await openFolder();
    const [first, second] = [await keyring(), await keyring()];
    server = await openServer({
      store: kind === "memory" ? createMemoryStore() : folder.file(),
      settings: { idempotentMessageIds: true },
      agent: {
        "/one": { agent: teller("One"), auth: first.auth },
        "/two": { agent: teller("Two"), auth: second.auth },
      },
      push: { allowPrivate: true },
    });
    cleanup.push(server, folder);
    const as =
      (path: string, secret: string): Ask =>
      async (method, params, headers = {}) => {
        const options = rpc(method, params, { "X-API-Key": secret, ...headers });
        const { text } = await send(server.url, `POST ${path}`, options);
        return jsonOf({ text: text.replace(/^(?:id: \S+\n)?data: (.*)\n\n[^]*/, "$1") });
      };
    const one = as("/one", first.key);
    const two = as("/two", second.key);
    const { result } = await one("SendMessage", say("go"));
    scene = { one, two, id: result.task.id };
  });
  afterAll(async () => {
    for (const one of cleanup) await one[Symbol.asyncDispose]();
  });

  it("is in no list of Two, however little is asked for", async () => {
    // First, because the other ways leave tasks with Two.
    const answer = await scene.two("ListTasks", {});
    outcomes["there is nothing"](answer);
  });

  it.each(ways)("is not reached by %s: %s", async (_, outcome, ask) => {
    const answer = await ask(scene);
    expect(JSON.stringify(answer)).not.toMatch(/(?:secret|reply) of One/);
    outcomes[outcome](answer);
    // It is still there for its owner.
    const { result } = await scene.one("GetTask", { id: scene.id });
    expect(result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });
});
