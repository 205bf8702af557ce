import type { RecordingLine, Resumption } from "../../contract/index.js";
import { createRedactor } from "../../record/index.js";
import type { Connections } from "../connections/connections.js";
import { apiHeaders } from "../http/security-headers.js";
import type { Routes } from "../http/router.js";
import type { HopRing } from "../record/hop-ring.js";
import type { PushAttempts } from "../record/push-attempts.js";
import type { PushReceiver } from "../receiver/push-receiver.js";
import { findRecord } from "../store/list-tasks.js";
import type { TaskSource } from "../store/task-source.js";
import { version } from "../version.js";

export interface SaveContext {
  readonly ring: HopRing;
  readonly connections: Connections;
  readonly resumptions: readonly Resumption[];
  readonly pushes: Pick<PushAttempts, "all">;
  readonly receiver: Pick<PushReceiver, "deliveries"> | undefined;
  readonly source: TaskSource | undefined;
  /** The file that is shown, in file mode. */
  readonly recording: string | undefined;
}

const pageLength = 1000;

/** What is saved: everything that was recorded, or what concerns one task, as lines of JSON without secrets. */
export function saveRoutes(context: SaveContext): Routes {
  return {
    "GET recording": async ({ query }) => {
      const { recording } = context;
      const headers = { ...apiHeaders, "Content-Type": "application/x-ndjson; charset=utf-8" };
      if (recording !== undefined) return new Response(recording, { headers });
      const encoder = new TextEncoder();
      const lines = linesOf(context, query.get("task") ?? undefined);
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await lines.next();
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(`${value}\n`));
        },
        async cancel() {
          await lines.return();
        },
      });
      return new Response(body, { headers });
    },
  };
}

async function* linesOf(
  { ring, connections, resumptions, pushes, receiver, source }: SaveContext,
  taskId: string | undefined,
): AsyncGenerator<string, void, void> {
  // All has been redacted when it was recorded; logs of the store have not.
  const redactors = [...connections.all().map(({ redactor }) => redactor), createRedactor([])];
  const line = (content: RecordingLine): string =>
    redactors.reduce((text, one) => one.text(text), JSON.stringify(content));
  const latest = connections.all().at(-1)?.view;
  yield line({
    kind: "recording",
    format: 1,
    version,
    savedAt: Date.now(),
    ...(latest && { agent: { url: latest.url, card: latest.card } }),
  });
  for (const { id } of ring.all()) {
    const hop = ring.find(id)?.whole();
    if (hop !== undefined && (taskId === undefined || hop.taskId === taskId))
      yield line({ kind: "hop", hop });
  }
  for (const resumption of resumptions) {
    if (taskId === undefined || resumption.taskId === taskId)
      yield line({ kind: "resumed", resumption });
  }
  for (const delivery of receiver?.deliveries ?? []) {
    if (taskId === undefined || delivery.taskId === taskId)
      yield line({ kind: "delivery", delivery });
  }
  for (const attempt of pushes.all()) {
    if (taskId === undefined || attempt.taskId === taskId) yield line({ kind: "push", attempt });
  }
  if (source === undefined || taskId === undefined) return;
  const record = await findRecord(source.store, taskId);
  yield line({ kind: "task", record });
  for (let after = 0; after < record.sequence;) {
    const entries = await source.store.read(taskId, after, pageLength, 8 * 1024 * 1024);
    for (const entry of entries) yield line({ kind: "entry", taskId, entry });
    const last = entries.at(-1)?.sequence;
    if (last === undefined) return;
    after = last;
  }
}
