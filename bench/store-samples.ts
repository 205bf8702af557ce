import { randomUUID } from "node:crypto";
import type { Append, LogEvent, Owner } from "@parley/a2a/store";

export const owner: Owner = { tenant: "acme", subject: "ada" };
export const agent = "travel";

const text =
  "Plan a week in Tokyo in May: flights from Zurich, a quiet hotel, and one good concert.";

/** One chunk of 100 bytes of a streamed answer. */
export function chunk(): LogEvent {
  const parts = [{ text: "x".repeat(100) }];
  return {
    kind: "artifact-updated",
    artifact: { artifactId: "answer", parts },
    append: true,
  };
}

export function creation(taskId: string, at: number): Append {
  const contextId = randomUUID();
  const messageId = randomUUID();
  const status = { state: "TASK_STATE_SUBMITTED", timestamp: new Date(at).toISOString() } as const;
  const message = { messageId, role: "ROLE_USER", parts: [{ text }] } as const;
  return {
    taskId,
    expectedSequence: 0,
    epoch: 1,
    events: [
      { kind: "task-created", taskId, contextId, status },
      { kind: "message-added", message },
    ],
    create: { owner, agent, contextId, createdIn: "1.0" },
    status: { state: status.state, at },
    node: "node-1",
    messageIds: [messageId],
  };
}

/** The appends of a small task: created, working, an artifact, completed. */
export function lifecycle(at: number): Append[] {
  const taskId = randomUUID();
  const created = creation(taskId, at);
  const timestamp = new Date(at).toISOString();
  const working = { state: "TASK_STATE_WORKING", timestamp } as const;
  const completed = { state: "TASK_STATE_COMPLETED", timestamp } as const;
  const next = { taskId, epoch: 1 };
  const artifacts = [{ artifactId: "answer", parts: [{ text: "x".repeat(100) }] }];
  const history = [{ messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] }] as const;
  return [
    created,
    {
      ...next,
      expectedSequence: 2,
      events: [{ kind: "status-changed", status: working }],
      status: { state: working.state, at },
    },
    { ...next, expectedSequence: 3, events: [chunk()] },
    {
      ...next,
      expectedSequence: 4,
      events: [{ kind: "status-changed", status: completed }],
      status: { state: completed.state, at },
      node: null,
      checkpoint: { id: taskId, status: completed, history, artifacts },
    },
  ];
}
