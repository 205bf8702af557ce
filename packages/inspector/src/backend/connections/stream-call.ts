import type { RequestOf, StreamResponse, StreamingOperation } from "@parley/a2a";
import type { AgentEvent, Reconnection, RemoteAgent } from "@parley/a2a/client";
import type { CallEvent, Resumption } from "../../contract/index.js";
import { problemOf } from "../http/answers.js";
import { iterateCall } from "../record/current-call.js";
import type { CurrentCall } from "../record/current-call.js";
import { reasonOf } from "../record/record-fetch.js";

/** What a stream is opened with. */
export interface StreamCall {
  readonly agent: RemoteAgent;
  readonly connection: string;
  readonly operation: StreamingOperation;
  readonly request: RequestOf<StreamingOperation>;
  readonly options: {
    readonly idempotencyKey?: string;
    readonly extensions?: readonly string[];
    readonly serviceParameters?: Readonly<Record<string, string>>;
  };
  /** Is told of every resumption: when it begins, and when it is known whether anything was lost. */
  readonly onResumed: (resumption: Resumption) => void;
  readonly nextId: () => number;
}

/**
 * Sends a message or follows a task, by the client's own stream, which goes on after its connection was lost. Counts what was
 * lost and what came twice by the numbers of events: what was delivered is compared with the agent's log, which is read once
 * more at the end.
 */
export async function* streamCall(given: StreamCall): AsyncGenerator<CallEvent, void, void> {
  const { agent, operation, request, options, connection } = given;
  const hops: number[] = [];
  const delivered: number[] = [];
  const resumptions: Resumption[] = [];
  const news: CallEvent[] = [];
  const abort = new AbortController();
  let latest: number | undefined;
  let taskId = "id" in request ? request.id : undefined;

  const call: CurrentCall = {
    operation,
    hops,
    ...("message" in request && { exact: request }),
    onEvent: (sequence) => (latest = sequence),
  };
  const tell = (resumption: Resumption): void => {
    given.onResumed(resumption);
    news.push({ kind: "resumed", resumption });
  };
  const onReconnect = ({ attempt, by, error, taskId: resumed }: Reconnection): void => {
    const after = delivered.at(-1);
    const resumption: Resumption = {
      id: given.nextId(),
      connection,
      taskId: resumed,
      at: Date.now(),
      attempt,
      by,
      ...(error !== undefined && { reason: reasonOf(error) }),
      ...(after !== undefined && { after }),
    };
    resumptions.push(resumption);
    tell(resumption);
  };
  const watching = { ...options, signal: abort.signal, onReconnect };
  const open = (): AsyncIterable<AgentEvent> =>
    "message" in request
      ? agent.stream(request.message.parts, { ...watching, ...request.configuration })
      : agent.watch(request.id, { ...watching, until: "settled" });
  try {
    for await (const event of iterateCall(call, open)) {
      yield* news.splice(0);
      const response = responseOf(event);
      taskId ??= taskIdOf(response);
      // The client may tell one event as several.
      const sequence = latest;
      latest = undefined;
      if (sequence !== undefined) delivered.push(sequence);
      yield { kind: "event", response, ...(sequence !== undefined && { sequence }) };
    }
    if (resumptions.length > 0 && taskId !== undefined) {
      const counted = await countLosses(agent, taskId, delivered, hops);
      for (const one of resumptions) tell({ ...one, ...counted });
    }
    yield* news.splice(0);
    yield { kind: "end", hops };
  } catch (error) {
    yield* news.splice(0);
    yield { kind: "problem", error: problemOf(error), hops };
  } finally {
    abort.abort();
  }
}

/** How long the agent's log is read once more. */
const auditMs = 5000;

/** Reads the events of a task once more from their first, and compares their numbers with those that were delivered. */
async function countLosses(
  agent: RemoteAgent,
  taskId: string,
  delivered: readonly number[],
  hops: number[],
): Promise<Pick<Resumption, "lost" | "repeated">> {
  const [first] = delivered;
  const last = delivered.at(-1);
  if (first === undefined || last === undefined) return {};
  const got = new Set(delivered);
  const repeated = delivered.length - got.size;
  const context = {
    version: agent.version,
    resumeAfter: first,
    signal: AbortSignal.timeout(auditMs),
  };
  const stored = new Set<number>();
  const call = { operation: "subscribeToTask", hops } as const;
  try {
    const events = iterateCall(call, () => agent.service.subscribeToTask({ id: taskId }, context));
    for await (const { sequence } of events) {
      if (sequence !== undefined) stored.add(sequence);
      if (sequence !== undefined && sequence >= last) break;
    }
  } catch {
    return { repeated };
  }
  const lost = [...stored].filter((one) => one > first && one < last && !got.has(one)).length;
  return { lost, repeated };
}

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

function taskIdOf({ task, statusUpdate, artifactUpdate }: StreamResponse): string | undefined {
  return task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
}
