import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { Message, Part, SendMessageRequest } from "@parley/a2a";
import {
  addOwnMessage,
  addResponse,
  addResumption,
  createConversation,
  isOver,
} from "../../model/chat/conversation.js";
import type { Conversation } from "../../model/chat/conversation.js";
import type { CallEvent } from "../../contract/index.js";
import { problemOf } from "../api/index.js";
import { navigate, route } from "../router/route.js";
import { announce } from "./announce.js";
import { callAgent, streamAgent } from "./calls.js";
import { connection } from "./connection.js";
import { receiverConfig } from "./pushes.js";

const version = signal(0);
const list: Conversation[] = [];
let isBumping = false;

/** Counts up when a conversation has changed, once an animation frame. */
export const conversationsVersion: ReadonlySignal<number> = version;

export function allConversations(): readonly Conversation[] {
  return list;
}

export function conversationOf(key: string | undefined): Conversation | undefined {
  return list.find((chat) => chat.key === key);
}

/** What a person wants to send. */
export interface Draft {
  readonly text: string;
  readonly files: readonly Part[];
  readonly taskId?: string;
  readonly contextId?: string;
  readonly metadata?: Message["metadata"];
  /** Parts in place of text and files: of a form. */
  readonly parts?: readonly Part[];
  /** Wait for one answer in place of a stream. */
  readonly isBlocking?: boolean;
  /** Tell the receiver of the inspector what becomes of the task. */
  readonly isNotified?: boolean;
}

/** Sends a message in a conversation, or begins one, and follows the answer. */
export async function send(draft: Draft, chat: Conversation = begin()): Promise<void> {
  const at = connection.peek();
  if (at === undefined) return;
  const message = messageOf(draft, chat);
  addOwnMessage(chat, message, Date.now());
  chat.isLive = true;
  go(chat, route.peek().path[1]);
  try {
    const request: SendMessageRequest = {
      message,
      ...(draft.isNotified === true && {
        configuration: { taskPushNotificationConfig: await receiverConfig() },
      }),
    };
    if (draft.isBlocking === true || at.card.capabilities.streaming !== true) {
      const response = await callAgent(at.id, "sendMessage", request);
      take(chat, { kind: "event", response });
    } else {
      for await (const event of streamAgent(at.id, {
        operation: "sendStreamingMessage",
        request,
      })) {
        take(chat, event);
      }
    }
  } catch (error) {
    chat.entries.push({ kind: "problem", problem: problemOf(error), at: Date.now() });
  }
  chat.isLive = false;
  bump();
  const task = chat.taskId === undefined ? undefined : chat.tasks.get(chat.taskId);
  announce(task === undefined ? "The agent has answered" : `The task is ${wordsOf(task.state)}`);
}

/** Cancels a task: asked, acknowledged, then ended. */
export async function cancel(chat: Conversation, taskId: string): Promise<void> {
  const at = connection.peek();
  const task = chat.tasks.get(taskId);
  if (at === undefined || task === undefined) return;
  task.cancel = "asked";
  bump();
  try {
    const result = await callAgent(at.id, "cancelTask", { id: taskId });
    task.cancel = "acknowledged";
    if (!isOver(task.state)) addResponse(chat, { task: result }, Date.now());
  } catch (error) {
    task.cancel = "refused";
    chat.entries.push({ kind: "problem", problem: problemOf(error), at: Date.now() });
  }
  bump();
}

function take(chat: Conversation, event: CallEvent): void {
  const now = Date.now();
  const { key } = chat;
  if (event.kind === "event") addResponse(chat, event.response, now);
  else if (event.kind === "resumed") {
    addResumption(chat, event.resumption, now);
    const { lost, repeated, by } = event.resumption;
    announce(lost === undefined ? `Resumed by ${by}` : `${lost} lost, ${repeated ?? 0} repeated`);
  } else if (event.kind === "problem") {
    chat.entries.push({ kind: "problem", problem: event.error, at: now });
  }
  // The agent has named the context: the address follows.
  if (chat.key !== key) go(chat, key);
  else bump();
}

function messageOf(draft: Draft, chat: Conversation): Message {
  const text: readonly Part[] = draft.text === "" ? [] : [{ text: draft.text }];
  const contextId = draft.contextId ?? chat.contextId;
  return {
    messageId: crypto.randomUUID(),
    role: "ROLE_USER",
    parts: draft.parts ?? [...text, ...draft.files],
    ...(contextId === undefined ? {} : { contextId }),
    ...(draft.taskId === undefined ? {} : { taskId: draft.taskId }),
    ...(draft.metadata === undefined ? {} : { metadata: draft.metadata }),
  };
}

function begin(): Conversation {
  const chat = createConversation(`new-${list.length + 1}`);
  list.unshift(chat);
  return chat;
}

/** Goes to a conversation, unless the person has gone elsewhere since. `from` is what the address names until now. */
function go(chat: Conversation, from: string | undefined): void {
  const [screen, key] = route.peek().path;
  if (screen === "chat" && key === from && key !== chat.key) navigate(["chat", chat.key]);
  bump();
}

function bump(): void {
  if (isBumping) return;
  isBumping = true;
  const wake = document.hidden ? (run: () => void) => setTimeout(run, 100) : requestAnimationFrame;
  wake(() => {
    isBumping = false;
    version.value += 1;
  });
}

function wordsOf(state: string): string {
  return state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", " ");
}
