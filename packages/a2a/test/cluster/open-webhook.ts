import { openReceiver } from "../support/servers/open-receiver.js";
import type { Receiver } from "../support/servers/open-receiver.js";
import type { Recorder } from "./recorder.js";

/** A receiver of push notifications, each configuration at a path of its own. */
export interface Webhook extends AsyncDisposable {
  urlFor(taskHint: string): string;
}

/** Opens a receiver that writes down what it takes. Now and then it refuses, so that the server has to try again. */
export async function openWebhook(
  recorder: Recorder,
  refuses: () => boolean,
): Promise<Receiver & Webhook> {
  const receiver = await openReceiver({
    answer(response, { path, headers, body }) {
      if (refuses()) return void response.writeHead(503).end();
      const configId = path.slice(1);
      const sequence = Number(headers["x-a2a-notification-sequence"]);
      recorder.arrive({ taskId: taskIdOf(body), configId, sequence });
      response.writeHead(204).end();
    },
  });
  return { ...receiver, urlFor: (configId) => `${receiver.url}/${configId}` };
}

/** The task that a notification is about, in every version's spelling. */
function taskIdOf(body: Buffer): string {
  const found = JSON.parse(body.toString()) as Record<string, unknown>;
  return findTaskId(found) ?? "";
}

function findTaskId(value: Record<string, unknown>): string | undefined {
  const { taskId, task, statusUpdate, artifactUpdate, id } = value;
  if (typeof taskId === "string") return taskId;
  for (const inner of [task, statusUpdate, artifactUpdate]) {
    if (typeof inner === "object" && inner !== null) {
      return findTaskId(inner as Record<string, unknown>);
    }
  }
  return typeof id === "string" ? id : undefined;
}
