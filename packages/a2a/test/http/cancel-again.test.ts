import { describe, expect, it, onTestFinished } from "vitest";
import { agent } from "@parley/a2a/server";
import type { Store } from "@parley/a2a/store";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { codecs } from "@parley/a2a/wire";
import { verifies } from "../spec/verifies.js";
import { dialectOf, isRest, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { call, jsonOf, say, send } from "../support/clients/http-client.js";
import { RawClient, reasonOf } from "../support/clients/raw-grpc-client.js";
import { openFolder } from "../support/files/open-folder.js";
import { addressOf } from "../support/servers/open-served.js";
import { openServer } from "../support/servers/open-server.js";
import { createGate } from "../support/time/gate.js";

const speeches: readonly Speech[] = [
  "0.1",
  "0.1+0.3",
  "0.3",
  "0.3+type",
  "0.3-schema",
  "0.3-proto",
  "1.0",
  "1.0 REST",
];

/** Works until it is canceled, then until the test lets it go. */
function createStubborn() {
  const gate = createGate();
  const stubborn = agent({
    name: "Stubborn",
    description: "Takes its time to stop",
    async *run({ signal }) {
      yield { status: "At it" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await gate.opened;
    },
  });
  return { stubborn, gate };
}

/** How many cancels of a task have reached a server. */
async function countCancels(store: Store, id: string): Promise<number> {
  const entries = await store.read(id, 0, 100);
  return entries.filter(({ event }) => event.kind === "cancel-requested").length;
}

const settings = { cancelGraceMs: 600_000 };

const asking = agent({
  name: "Asking",
  description: "Asks",
  run: () => ({ inputRequired: "Which one?" }),
});

/** The id of a task that waits for its caller. */
async function begin(url: string): Promise<string> {
  const { result } = await call(url, "SendMessage", {
    ...say("go"),
    configuration: { returnImmediately: true },
  });
  return result.task.id;
}

describe("a task that is canceled already", () => {
  it.each(speeches)("cannot be canceled in %s, and the error says why", async (speech) => {
    verifies("cancel:not-cancelable", "cancel:idempotent");
    await using server = await openServer({ agent: asking });
    const id = await begin(server.url);
    const cancel = (): ReturnType<typeof send> =>
      send(server.url, ...write(speech, "cancelTask", { id }));
    expect((await cancel()).status).toBe(200);
    const { result: before } = await call(server.url, "GetTask", { id });
    const again = await cancel();
    const codec = codecs[dialectOf(speech)];
    const error = isRest(speech)
      ? codec.decodeHttpError(again.status, jsonOf(again))
      : codec.decodeJsonRpcError(jsonOf(again).error);
    expect(error.code).toBe("TASK_NOT_CANCELABLE");
    expect(error.details.metadata).toMatchObject({ taskId: id, taskState: "canceled" });
    expect((await call(server.url, "GetTask", { id })).result).toEqual(before);
  });

  it.each(["0.3", "1.0"] as const)("cannot be canceled over gRPC %s", async (version) => {
    verifies("cancel:not-cancelable", "cancel:idempotent");
    await using server = await openServer({ agent: asking, grpc: { port: 0 } });
    const client = new RawClient(addressOf(server));
    onTestFinished(() => client.close());
    const id = await begin(server.url);
    const request = version === "0.3" ? { name: `tasks/${id}` } : { id };
    const { error: none } = await client.call(version, "CancelTask", request);
    expect(none).toBeUndefined();
    const { error } = await client.call(version, "CancelTask", request);
    expect(reasonOf(error)).toMatchObject({
      reason: "TASK_NOT_CANCELABLE",
      metadata: { taskId: id, taskState: "canceled" },
    });
  });
});

describe("two cancels under way at once", () => {
  it.each(speeches)("both succeed in %s", async (speech) => {
    verifies("cancel:updated-task", "cancel:idempotent");
    const { stubborn, gate } = createStubborn();
    const store = createMemoryStore();
    await using server = await openServer({ agent: stubborn, store, settings });
    const id = await begin(server.url);
    const route = write(speech, "cancelTask", { id });
    const canceling = [send(server.url, ...route), send(server.url, ...route)];
    await expect.poll(() => countCancels(store, id)).toBe(2);
    gate.open();
    for (const answer of await Promise.all(canceling)) {
      const { status } = isRest(speech) ? jsonOf(answer) : jsonOf(answer).result;
      expect(status.state).toMatch(/^(?:TASK_STATE_)?cancell?ed$/i);
    }
  });

  it("both succeed on two servers over one file", async () => {
    verifies("cancel:updated-task", "cancel:idempotent");
    await using folder = await openFolder();
    const { stubborn, gate } = createStubborn();
    const options = { agent: stubborn, store: folder.file(), settings };
    await using one = await openServer(options);
    await using two = await openServer(options);
    await using store = await openSqliteStore({ path: folder.file() });
    const id = await begin(one.url);
    const canceling = [one, two].map(({ url }) => call(url, "CancelTask", { id }));
    await expect.poll(() => countCancels(store, id)).toBe(2);
    gate.open();
    for (const { result } of await Promise.all(canceling)) {
      expect(result.status.state).toBe("TASK_STATE_CANCELED");
    }
  });
});
