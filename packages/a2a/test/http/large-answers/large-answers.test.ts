import { describe, expect, it } from "vitest";
import { eventsOf, openEvents } from "../../support/clients/event-client.js";
import { call, open, rpc, say, send } from "../../support/clients/http-client.js";
import { openFolder } from "../../support/files/open-folder.js";
import { openSmallServer } from "./open-small-server.js";
import type { SmallServer } from "./open-small-server.js";

const megabyte = 1024 * 1024;

type Events = ReturnType<typeof eventsOf>;

/** Makes a task of so many chunks of so many bytes. Returns its id. */
async function makeTask({ url }: SmallServer, words: string): Promise<string> {
  const params = say(words, {}, { historyLength: 0, returnImmediately: true });
  const { result } = await call(url, "SendMessage", params);
  const { id } = result.task;
  const settled = /COMPLETED|INPUT_REQUIRED/;
  await expect
    .poll(async () => (await listed(url)).get(id), { timeout: 100_000, interval: 20 })
    .toMatch(settled);
  return id;
}

/** The states of all tasks by their ids, without their content. */
async function listed(url: string): Promise<Map<string, string>> {
  const params = { pageSize: 100, historyLength: 0 };
  const { result } = await call(url, "ListTasks", params);
  return new Map(
    result.tasks.map((task: { id: string; status: { state: string } }) => [
      task.id,
      task.status.state,
    ]),
  );
}

interface Page {
  readonly ids: readonly string[];
  readonly bytes: number;
}

/** Reads a whole list, page by page. */
async function readPages(url: string, params: object): Promise<Page[]> {
  const pages: Page[] = [];
  for (let pageToken = ""; ;) {
    const answer = await send(url, "POST /", rpc("ListTasks", { ...params, pageToken }));
    const { tasks, nextPageToken } = JSON.parse(answer.text).result;
    pages.push({ ids: tasks.map(({ id }: { id: string }) => id), bytes: answer.text.length });
    if (nextPageToken === "") return pages;
    pageToken = nextPageToken;
  }
}

describe.each(["memory", "sqlite"])("over a store in %s", (kind) => {
  it("lists of large tasks are cut by bytes, and six at once do not kill the server", async () => {
    await using folder = await openFolder();
    await using server = await openSmallServer({
      heapMb: 128,
      ...(kind === "sqlite" && { path: folder.file() }),
    });
    const made: string[] = [];
    for (let nth = 0; nth < 12; nth += 1) made.push(await makeTask(server, "say 3 1000000"));
    const before = await server.health();
    await server.watch();
    const lists = await Promise.all(
      Array.from({ length: 6 }, () =>
        readPages(server.url, { pageSize: 100, includeArtifacts: true }),
      ),
    );
    for (const pages of lists) {
      expect(pages.flatMap(({ ids }) => ids).toSorted()).toEqual(made.toSorted());
      for (const { bytes } of pages) expect(bytes).toBeLessThan(12 * megabyte);
    }
    const [only, ...others] = await readPages(server.url, { pageSize: 100, historyLength: 1 });
    expect(only?.ids.toSorted()).toEqual(made.toSorted());
    expect(others).toEqual([]);
    const after = await server.health();
    expect(after.bytes - before.bytes).toBeLessThan(60 * megabyte);
    expect(after.longestMs).toBeLessThan(1000);
  });

  it("a page holds a task that is larger than a page", async () => {
    await using folder = await openFolder();
    await using server = await openSmallServer(kind === "sqlite" ? { path: folder.file() } : {});
    const large = await makeTask(server, "say 15 1000000");
    const small = await makeTask(server, "say 1 10");
    const pages = await readPages(server.url, { pageSize: 10, includeArtifacts: true });
    expect(pages.map(({ ids }) => ids)).toEqual([[small], [large]]);
  });

  it("subscribers who never read a large task share one encoding of it", async () => {
    await using folder = await openFolder();
    await using server = await openSmallServer(kind === "sqlite" ? { path: folder.file() } : {});
    const id = await makeTask(server, "ask 12 1000000");
    const before = await server.health();
    // The head of the answer is read, and then not one byte more.
    const stuck = await Promise.all([
      ...Array.from({ length: 10 }, () => open(server.url, `GET /tasks/${id}:subscribe`)),
      ...Array.from({ length: 10 }, () =>
        open(server.url, "POST /", rpc("SubscribeToTask", { id })),
      ),
    ]);
    // The others are answered meanwhile.
    expect((await call(server.url, "SendMessage", say("echo me"))).result).toBeDefined();
    const after = await server.health();
    expect(after.bytes - before.bytes).toBeLessThan(60 * megabyte);
    for (const one of stuck) expect(one.statusCode).toBe(200);
    for (const one of stuck) one.destroy();
  });

  it("a reader gets all of a large task, however slowly it reads", async () => {
    await using folder = await openFolder();
    await using server = await openSmallServer(kind === "sqlite" ? { path: folder.file() } : {});
    const id = await makeTask(server, "say 10 1000000");
    const { result } = await call(server.url, "GetTask", { id });
    const [artifact] = result.artifacts;
    expect(artifact.parts).toHaveLength(10);
    for (const part of artifact.parts) expect(part.text).toBe("x".repeat(1_000_000));
    const rest = await send(server.url, `GET /tasks/${id}`);
    expect(JSON.parse(rest.text)).toEqual(result);
  });
});

it("watchers who have read large tasks hold nothing of them, and miss nothing", async () => {
  await using folder = await openFolder();
  await using server = await openSmallServer({ path: folder.file(), heapMb: 128 });
  const ids: string[] = [];
  for (let nth = 0; nth < 10; nth += 1) ids.push(await makeTask(server, "ask 4 1000000"));
  const before = await server.health();
  const watching: { readonly events: Events; close(): void }[] = [];
  for (const id of ids) {
    const stream = await openEvents(server.url, `GET /tasks/${id}:subscribe`);
    const events = eventsOf(stream);
    const { value } = await events.next();
    expect(value?.data.task.artifacts[0].parts).toHaveLength(4);
    watching.push({ events, close: () => stream.close() });
  }
  const after = await server.health();
  expect(after.bytes - before.bytes).toBeLessThan(20 * megabyte);
  for (const [nth, id] of ids.entries()) {
    const answer = say("enough", { taskId: id }, { historyLength: 0 });
    expect((await call(server.url, "SendMessage", answer)).result.task.id).toBe(id);
    const states: unknown[] = [];
    for await (const { data } of watching[nth]!.events)
      states.push(data.statusUpdate?.status.state);
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
    watching[nth]!.close();
  }
});

it("a task of very many chunks keeps nobody waiting", async () => {
  await using folder = await openFolder();
  await using server = await openSmallServer({ heapMb: 512, path: folder.file() });
  const id = await makeTask(server, "ask 200000 20");
  await server.watch();
  let isOver = false;
  const pinging = (async () => {
    let pings = 0;
    for (; !isOver; pings += 1) await call(server.url, "SendMessage", say("echo me"));
    return pings;
  })();
  const { result } = await call(server.url, "GetTask", { id });
  expect(result.artifacts[0].parts).toHaveLength(200_000);
  const subscribed = await open(server.url, `GET /tasks/${id}:subscribe`);
  const listing = await call(server.url, "ListTasks", { includeArtifacts: true, pageSize: 5 });
  expect(listing.result.tasks.length).toBeGreaterThan(0);
  await call(server.url, "SendMessage", say("yes", { taskId: id }, { historyLength: 0 }));
  isOver = true;
  expect(await pinging).toBeGreaterThan(5);
  subscribed.destroy();
  expect((await server.health()).longestMs).toBeLessThan(1000);
});
