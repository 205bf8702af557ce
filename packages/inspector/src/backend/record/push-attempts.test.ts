import { expect, test } from "vitest";
import type { PushNotification, PushOutcome, PushSender } from "@parley/a2a/server";
import { Feed } from "./feed.js";
import { PushAttempts } from "./push-attempts.js";

const notification = {
  id: "t/c/7",
  config: {
    id: "c",
    taskId: "t",
    url: "https://receiver.example/hook?key=secret",
    token: "secret",
  },
  dialect: "1.0",
  event: {
    statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } },
  },
  sequence: 7,
  attempt: 1,
  task: () => Promise.reject(new Error("nobody asks for the task")),
} as const satisfies PushNotification;

const never = new AbortController().signal;

function senderOf(send: PushSender["send"]): PushSender {
  return { send, admit: async () => undefined, close: async () => undefined };
}

test("records when an attempt began, when it ended and how, without the address or the token", async () => {
  const attempts = new PushAttempts(new Feed());
  const outcomes: PushOutcome[] = [
    { kind: "arrived" },
    { kind: "failed", reason: "the receiver answered 410", isFinal: true },
  ];
  const sender = attempts.watch(senderOf(async () => outcomes.shift() ?? { kind: "arrived" }));
  expect(await sender.send(notification, never)).toEqual({ kind: "arrived" });
  await sender.send({ ...notification, attempt: 2 }, never);
  const common = { taskId: "t", configId: "c", sequence: 7, host: "receiver.example" };
  expect(attempts.all()).toEqual([
    {
      ...common,
      id: 1,
      attempt: 1,
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      outcome: "arrived",
    },
    {
      ...common,
      id: 2,
      attempt: 2,
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      outcome: "failed",
      reason: "the receiver answered 410",
      isFinal: true,
    },
  ]);
  expect(JSON.stringify(attempts.all())).not.toContain("secret");
});

test("records an attempt that is given up, or that fails by itself", async () => {
  const attempts = new PushAttempts(new Feed());
  const leave = new AbortController();
  const hanging = attempts.watch(senderOf(() => new Promise(() => undefined)));
  void hanging.send(notification, leave.signal);
  expect(attempts.all()[0]).not.toHaveProperty("endedAt");
  leave.abort();
  expect(attempts.all()[0]).toMatchObject({ outcome: "failed", reason: "no answer in time" });
  const broken = attempts.watch(senderOf(() => Promise.reject(new Error("no route"))));
  await expect(broken.send(notification, never)).rejects.toThrow("no route");
  expect(attempts.all()[1]).toMatchObject({ outcome: "failed", reason: "no route" });
});

test("keeps the last 1,000", async () => {
  const attempts = new PushAttempts(new Feed());
  const sender = attempts.watch(senderOf(async () => ({ kind: "arrived" })));
  for (let one = 0; one < 1001; one += 1) await sender.send(notification, never);
  expect(attempts.all()).toHaveLength(1000);
  expect(attempts.all()[0]?.id).toBe(2);
});
