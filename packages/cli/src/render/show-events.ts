import type { AgentEvent, StreamResponse } from "@parley/a2a";
import type { ConnectOption } from "../connect/connect-options.js";
import { nextCommand } from "../connect/next-command.js";
import type { Continued } from "../connect/next-command.js";
import type { Invocation } from "../options/define-command.js";
import { textLine } from "../output/text-form.js";
import { writeJsonLine } from "../output/write-json.js";
import { EventText } from "./event-text.js";

/** Shows events as they come: as text, or one object of the protocol on each line. */
export async function showEvents(
  invocation: Invocation<ConnectOption>,
  events: AsyncIterable<AgentEvent>,
): Promise<void> {
  const { output, format } = invocation;
  const text = new EventText(output.stdout);
  let last: Continued | undefined;
  try {
    for await (const event of events) {
      last = stateOf(event) ?? last;
      if (format === "json") writeJsonLine(output.stdout, responseOf(event));
      else text.show(event);
    }
  } finally {
    if (format === "text") text.end();
  }
  const next = last === undefined ? undefined : nextCommand(invocation, last);
  if (format === "text" && next !== undefined) output.stdout.write(textLine("Next", next));
}

function stateOf(event: AgentEvent): Continued | undefined {
  if (event.kind === "task") return { ...event.task, state: event.task.status.state };
  if (event.kind !== "status") return undefined;
  const { taskId: id, contextId, status } = event;
  return { id, contextId, state: status.state };
}

/** The event as the protocol writes it. */
function responseOf(event: AgentEvent): StreamResponse {
  if (event.kind === "message") return { message: event.message };
  if (event.kind === "task") return { task: event.task };
  if (event.kind === "status") {
    const { kind: _, progress: __, ...statusUpdate } = event;
    return { statusUpdate };
  }
  const { kind: _, ...artifactUpdate } = event;
  return { artifactUpdate };
}
