import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { agent, openRuntime } from "@parley/a2a/server";
import { createFetchHandler } from "@parley/a2a/http";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { RawClient } from "../../support/clients/raw-grpc-client.js";
import { call, open, rpc, say, send } from "../../support/clients/http-client.js";
import { openServer } from "../../support/servers/open-server.js";

const megabyte = 1024 * 1024;

/** Says as many megabytes as it is told to. */
const talker = agent({
  name: "Talker",
  description: "Talks as much as it is told to",
  async *run({ text }) {
    for (let nth = 0; nth < Number(text); nth += 1) yield "x".repeat(megabyte);
  },
});

async function makeTask(url: string, megabytes: number): Promise<string> {
  const params = say(String(megabytes), {}, { historyLength: 0 });
  return (await call(url, "SendMessage", params)).result.task.id;
}

it("a large read that finds no room waits, and is refused when the wait is over", async () => {
  await using server = await openServer({ agent: talker, settings: { maxReadBytes: megabyte } });
  const { url } = server;
  // More than the buffers of the two sockets take.
  const stuck = await makeTask(url, 30);
  const other = await makeTask(url, 2);
  const small = await makeTask(url, 0);
  const reader = await open(url, `GET /tasks/${stuck}`);
  const waiting = [
    send(url, `GET /tasks/${other}`),
    send(url, "POST /", rpc("GetTask", { id: other })),
    send(url, "POST /", rpc("tasks/get", { id: other })),
    send(url, "GET /tasks?includeArtifacts=true"),
  ];
  // Small reads do not wait for large ones.
  expect((await send(url, `GET /tasks/${small}`)).status).toBe(200);
  for (const answer of await Promise.all(waiting)) {
    expect(answer.text).toContain("large answers take up all of the 1048576 bytes");
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.status).toBe(429);
  }
  reader.destroy();
  await expect
    .poll(async () => (await send(url, `GET /tasks/${other}`)).status, { timeout: 30_000 })
    .toBe(200);
});

it("large answers give their room back over every binding, however often they are read", async () => {
  await using server = await openServer({
    agent: talker,
    settings: { maxReadBytes: megabyte },
    grpc: { port: 0 },
  });
  const { url } = server;
  const id = await makeTask(url, 2);
  const client = new RawClient(server.grpcAddress ?? "");
  for (let nth = 0; nth < 4; nth += 1) {
    const task = JSON.parse((await send(url, `GET /tasks/${id}`)).text);
    expect(task.artifacts[0].parts).toHaveLength(2);
    expect((await call(url, "GetTask", { id })).result).toEqual(task);
    expect((await call(url, "tasks/get", { id })).result.artifacts[0].parts).toHaveLength(2);
    const page = await call(url, "ListTasks", { includeArtifacts: true });
    expect(page.result.tasks).toEqual([task]);
    const seen = await client.call("1.0", "GetTask", { id });
    expect(JSON.stringify(seen)).toContain("x".repeat(megabyte));
  }
  client.close();
});

it("a large answer that waits behind others gives its room back when its connection is gone", async () => {
  await using server = await openServer({ agent: talker, settings: { maxReadBytes: megabyte } });
  const { url } = server;
  const [stuck, other] = [await makeTask(url, 30), await makeTask(url, 2)];
  const get = (id: string): string => `GET /tasks/${id} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  for (let round = 0; round < 3; round += 1) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
    // Reads the beginning of the first answer and no more, so that the second cannot leave.
    socket.write(get(stuck) + get(stuck));
    await once(socket, "readable");
    socket.destroy();
    await expect
      .poll(async () => (await send(url, `GET /tasks/${other}`)).status, { timeout: 30_000 })
      .toBe(200);
  }
});

it("a large answer gives its room back where nobody reads it after fetch", async () => {
  await using runtime = await openRuntime({
    agent: talker,
    store: createMemoryStore(),
    settings: { maxReadBytes: megabyte },
  });
  const handle = createFetchHandler(runtime);
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "3" }] } as const;
  const { task } = await runtime.sendMessage({ message }, { version: "1.0" });
  for (let nth = 0; nth < 3; nth += 1) {
    const answer = await handle(new Request(`http://localhost/tasks/${task?.id}`));
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  }
});

it("a large answer is whole where the server speaks fetch", async () => {
  const store = createMemoryStore();
  await using runtime = await openRuntime({
    agent: talker,
    store,
    settings: { maxReadBytes: megabyte },
  });
  const handle = createFetchHandler(runtime);
  const call = { version: "1.0" } as const;
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "3" }] } as const;
  const { task } = await runtime.sendMessage({ message }, call);
  for (let nth = 0; nth < 3; nth += 1) {
    const answer = await handle(new Request(`http://localhost/tasks/${task?.id}`));
    const text = await answer.text();
    expect(answer.headers.get("content-length")).toBe(String(text.length));
    expect(JSON.parse(text)).toEqual(task);
  }
});
