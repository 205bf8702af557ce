import type { Artifact, Message, Part, StreamResponse, TaskState, TaskStatus } from "@parley/a2a";
import type { Problem, Resumption } from "../../contract/index.js";

/** What happened in a conversation, in the order in which it is read. */
export type ChatEntry =
  | { readonly kind: "said"; readonly message: Message; readonly at: number }
  | {
      readonly kind: "question";
      readonly taskId: string;
      readonly message: Message;
      readonly at: number;
      /** When the next message to the task was sent. */
      answeredAt?: number;
      answer?: string;
    }
  | {
      readonly kind: "artifact";
      readonly taskId: string;
      readonly artifactId: string;
      readonly at: number;
    }
  | {
      readonly kind: "ended";
      readonly taskId: string;
      readonly state: TaskState;
      readonly at: number;
    }
  | { readonly kind: "resumed"; resumption: Resumption; readonly at: number }
  | { readonly kind: "problem"; readonly problem: Problem; readonly at: number };

/** An artifact as far as it has come. Text of parts is joined as it comes, not when it is shown. */
export interface ChatArtifact {
  artifact: Artifact;
  parts: Part[];
  /** All text parts in one. */
  text: string;
  chunks: number;
  isComplete: boolean;
}

export interface ChatTask {
  readonly id: string;
  state: TaskState;
  /** What the agent says it is doing. */
  doing?: string;
  readonly artifacts: Map<string, ChatArtifact>;
  cancel?: "asked" | "acknowledged" | "refused";
}

/** Messages and tasks of one context. It changes in place: a stream brings thousands of chunks. */
export interface Conversation {
  /** The context, once the agent has named it; until then a name of the page's own. */
  key: string;
  contextId?: string;
  title: string;
  readonly entries: ChatEntry[];
  readonly tasks: Map<string, ChatTask>;
  /** The task of the latest message. */
  taskId?: string;
  /** Whether an answer is on its way. */
  isLive: boolean;
  eventCount: number;
}

export function createConversation(key: string): Conversation {
  return {
    key,
    title: "New conversation",
    entries: [],
    tasks: new Map(),
    isLive: false,
    eventCount: 0,
  };
}

/** Adds what the caller has said. A question of the same task that waits has its answer now. */
export function addOwnMessage(chat: Conversation, message: Message, at: number): void {
  const text = textOfParts(message.parts);
  const question = chat.entries.findLast(
    (entry) =>
      entry.kind === "question" &&
      entry.taskId === message.taskId &&
      entry.answeredAt === undefined,
  );
  if (question?.kind === "question") {
    question.answeredAt = at;
    question.answer = text;
  }
  if (chat.entries.length === 0) chat.title = titleOf(text);
  chat.entries.push({ kind: "said", message, at });
}

/** Adds an event of a stream, or the result of a call. */
export function addResponse(chat: Conversation, response: StreamResponse, at: number): void {
  chat.eventCount += 1;
  if (response.message !== undefined) {
    takeContext(chat, response.message.contextId);
    chat.entries.push({ kind: "said", message: response.message, at });
  } else if (response.task !== undefined) {
    const { id, contextId, status, artifacts = [] } = response.task;
    takeContext(chat, contextId);
    const task = taskOf(chat, id);
    for (const artifact of artifacts) addArtifact(chat, task, { artifact, at });
    setStatus(chat, task, { status, at });
  } else if (response.statusUpdate !== undefined) {
    const { taskId, contextId, status } = response.statusUpdate;
    takeContext(chat, contextId);
    setStatus(chat, taskOf(chat, taskId), { status, at });
  } else {
    const { taskId, contextId, artifact, append, lastChunk } = response.artifactUpdate;
    takeContext(chat, contextId);
    addArtifact(chat, taskOf(chat, taskId), {
      artifact,
      at,
      append: append === true,
      isComplete: lastChunk === true,
    });
  }
}

/** Adds how a stream went on. It is told again, by the same id, when its losses are counted. */
export function addResumption(chat: Conversation, resumption: Resumption, at: number): void {
  const known = chat.entries.find(
    (entry) => entry.kind === "resumed" && entry.resumption.id === resumption.id,
  );
  if (known?.kind === "resumed") known.resumption = resumption;
  else chat.entries.push({ kind: "resumed", resumption, at });
}

export function textOfParts(parts: readonly Part[]): string {
  return parts.map((part) => part.text ?? "").join("");
}

function taskOf(chat: Conversation, id: string): ChatTask {
  chat.taskId = id;
  let task = chat.tasks.get(id);
  if (task === undefined) {
    task = { id, state: "TASK_STATE_SUBMITTED", artifacts: new Map() };
    chat.tasks.set(id, task);
  }
  return task;
}

function takeContext(chat: Conversation, contextId: string | undefined): void {
  if (contextId === undefined || contextId === "" || chat.contextId !== undefined) return;
  chat.contextId = contextId;
  chat.key = contextId;
}

const terminal = new Set<TaskState>([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_FAILED",
  "TASK_STATE_REJECTED",
]);
const asking = new Set<TaskState>(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"]);

export function isOver(state: TaskState): boolean {
  return terminal.has(state);
}

export function isAsking(state: TaskState): boolean {
  return asking.has(state);
}

function setStatus(
  chat: Conversation,
  task: ChatTask,
  { status, at }: { readonly status: TaskStatus; readonly at: number },
): void {
  const { state, message } = status;
  const before = task.state;
  task.state = state;
  delete task.doing;
  const isNew = !hasMessage(chat, message);
  if (asking.has(state)) {
    const said: Message = message ?? { messageId: "", role: "ROLE_AGENT", parts: [] };
    if (isNew || before !== state)
      chat.entries.push({ kind: "question", taskId: task.id, message: said, at });
    return;
  }
  if (terminal.has(state)) {
    if (message !== undefined && isNew) chat.entries.push({ kind: "said", message, at });
    for (const artifact of task.artifacts.values()) artifact.isComplete = true;
    if (before !== state) chat.entries.push({ kind: "ended", taskId: task.id, state, at });
    return;
  }
  if (message !== undefined) task.doing = textOfParts(message.parts);
}

/** Agents repeat the message of a status in the task that they answer with. */
function hasMessage(chat: Conversation, message: Message | undefined): boolean {
  if (message === undefined) return false;
  return chat.entries.some(
    (entry) =>
      (entry.kind === "said" || entry.kind === "question") &&
      entry.message.messageId === message.messageId &&
      message.messageId !== "",
  );
}

function addArtifact(
  chat: Conversation,
  task: ChatTask,
  update: {
    readonly artifact: Artifact;
    readonly at: number;
    readonly append?: boolean;
    readonly isComplete?: boolean;
  },
): void {
  const { artifact, at, append = false, isComplete = false } = update;
  const known = task.artifacts.get(artifact.artifactId);
  if (known === undefined) {
    chat.entries.push({ kind: "artifact", taskId: task.id, artifactId: artifact.artifactId, at });
  }
  if (known === undefined || !append) {
    task.artifacts.set(artifact.artifactId, {
      artifact,
      parts: [...artifact.parts],
      text: textOfParts(artifact.parts),
      chunks: 1,
      isComplete,
    });
    return;
  }
  known.parts.push(...artifact.parts);
  known.text += textOfParts(artifact.parts);
  known.chunks += 1;
  known.isComplete = isComplete;
}

function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  if (line === "") return "A file";
  return line.length > 48 ? `${line.slice(0, 47)}…` : line;
}
