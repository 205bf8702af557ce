import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import type { Store } from "@parley/a2a/store";
import { createInspector } from "@parley/inspector";
import type { OpenInspector } from "@parley/inspector";
import type { Delivery, Receiver, ReceiverRequest } from "@parley/inspector/contract";
import { sendText, until, untilState } from "../call-agent.js";
import { letIn } from "../inspector-client.js";
import type { TestPage } from "../inspector-client.js";
import { endlessDesk, travelDesk } from "./travel-desk.js";

/** A server of a travel desk with an inspector beside it, after a day at work: nothing in it is made up. */
export interface Office extends AsyncDisposable {
  readonly server: Server;
  readonly store: Store;
  readonly inspector: OpenInspector;
  /** A page of the inspector, for what a test asks its backend directly. */
  readonly page: TestPage;
  /** The task of a hotel: searched, asked, answered after four minutes, streamed, booked. */
  readonly story: string;
  /** The ids of other tasks, by what became of them. */
  readonly tasks: Readonly<
    Record<"asking" | "failed" | "silent" | "noLease" | "crashLoop", string>
  >;
  /** What the inspector reads fails from now on, or no longer. */
  breakStore(isBroken: boolean): void;
  receiver(request?: ReceiverRequest): Promise<Receiver>;
  deliveries(): Promise<readonly Delivery[]>;
}

const minute = 60_000;

/** Nodes that hold their lease while hours pass, and stop at once. */
const settings = { leaseMs: 24 * 60 * minute, stopGraceMs: 0, maxPushAttempts: 1 };

export async function openOffice(): Promise<Office> {
  // The clock of the office begins an hour ago, and time passes when somebody says so.
  let behindMs = 60 * minute;
  const pass = (ms: number): void => {
    behindMs = Math.max(0, behindMs - ms);
  };
  const clock = {
    now: () => Date.now() - Math.round(behindMs),
    after(delayMs: number, callback: () => void) {
      const timer = setTimeout(callback, delayMs).unref();
      return () => clearTimeout(timer);
    },
  };
  const store = createMemoryStore({ clock });
  const noLease = await leaveBehind({ store, clock, name: "Visa desk", times: 1 });
  pass(9 * minute);
  const crashLoop = await leaveBehind({ store, clock, name: "Rates desk", times: 4 });
  let isBroken = false;
  const created = createInspector({
    port: 0,
    report: (error) => isBroken || console.error(error),
  });
  let opened: OpenInspector | undefined;
  const server = await serve(travelDesk(pass), {
    port: 0,
    store,
    clock,
    settings,
    log: { level: "error" },
    push: { allowPrivate: true },
    inspector: {
      watch: (handle) => created.watch(handle),
      watchPush: (sender) => created.watchPush?.(sender) ?? sender,
      async open(inspected) {
        const listNodes = (): ReturnType<Store["listNodes"]> =>
          isBroken ? Promise.reject(new Error("the disk is gone")) : store.listNodes();
        opened = await created.open({ ...inspected, store: { ...store, listNodes } });
        return opened;
      },
    },
  });
  const { url } = server;
  const inspector = opened as OpenInspector;
  const page = await letIn(inspector);
  const receiver = (request?: ReceiverRequest): Promise<Receiver> => page.ask("receiver", request);
  const deliveries = async (): Promise<readonly Delivery[]> =>
    (await page.ask<{ deliveries: readonly Delivery[] }>("deliveries")).deliveries;

  const failed = await sendText(url, "A refund for booking 8841");
  await untilState(store, failed, "TASK_STATE_FAILED");
  pass(4 * minute);
  const silent = await sendText(url, "Please wait for the hotel's answer");
  await untilState(store, silent, "TASK_STATE_WORKING");
  pass(12 * minute);
  const asking = await sendText(url, "Do I need a visa for Norway?");
  await untilState(store, asking, "TASK_STATE_INPUT_REQUIRED");
  pass(20 * minute);
  const story = await sendText(
    url,
    "A hotel in Lisbon near the river, under €180. Tell me all about it.",
  );
  await untilState(store, story, "TASK_STATE_INPUT_REQUIRED");
  pass(4.2 * minute);
  await sendText(url, "Yes", { taskId: story });
  await untilState(store, story, "TASK_STATE_COMPLETED");

  pass(Infinity);
  // A receiver that is gone for good buries what is sent to it; then it is back.
  await page.connect(url);
  const { url: webhook } = await receiver({ behaviour: 410 });
  await sendText(url, "notify me of changes", { webhook });
  await until(async () => (await store.countDeliveries("Travel desk")).waiting === 0);
  await receiver({ behaviour: 200 });
  const before = (await deliveries()).length;
  await sendText(url, "notify me of changes", { webhook });
  await until(async () => (await store.countDeliveries("Travel desk")).waiting === 0);
  await until(async () => (await deliveries()).length > before);
  return {
    server,
    store,
    inspector,
    page,
    story,
    tasks: { asking, failed, silent, noLease, crashLoop },
    breakStore(value) {
      isBroken = value;
    },
    receiver,
    deliveries,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** Nodes begin a task, one after another, and each is stopped before it has ended; resolves to the id of the task. */
async function leaveBehind({
  store,
  clock,
  name,
  times,
}: {
  readonly store: Store;
  readonly clock: NonNullable<Parameters<typeof serve>[1]>["clock"] & object;
  readonly name: string;
  readonly times: number;
}): Promise<string> {
  let taskId: string | undefined;
  for (let time = 1; time <= times; time += 1) {
    const server = await serve(endlessDesk(name), { port: 0, store, clock, settings });
    taskId ??= await sendText(server.url, "Work");
    await untilState(store, taskId, "TASK_STATE_WORKING");
    await until(async () => (await countResumed(store, taskId ?? "")) === time - 1);
    await server.close();
  }
  return taskId ?? "";
}

async function countResumed(store: Store, taskId: string): Promise<number> {
  const entries = await store.read(taskId, 0, 100);
  return entries.filter(({ event }) => event.kind === "run-resumed").length;
}
