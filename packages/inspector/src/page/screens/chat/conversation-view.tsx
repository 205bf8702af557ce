import type { ComponentChild } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ChatTask, Conversation } from "../../../model/chat/conversation.js";
import { isAsking, isOver } from "../../../model/chat/conversation.js";
import { conversationsVersion } from "../../state/conversations.js";
import { Mark } from "../../ui/index.js";
import { EntryView } from "./entry-view.js";

/** More entries than a person reads back. */
const most = 300;

/** What was said, asked and made, newest last. It follows the end while the reader is there. */
export function ConversationView({ chat }: { readonly chat: Conversation }): ComponentChild {
  // A conversation changes in place.
  void conversationsVersion.value;
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  });
  const entries = chat.entries.slice(-most);
  const skipped = chat.entries.length - entries.length;
  const task = chat.taskId === undefined ? undefined : chat.tasks.get(chat.taskId);
  return (
    <div
      ref={box}
      class="pane-body conversation"
      role="log"
      aria-label="Conversation"
      aria-live="off"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 48;
      }}
    >
      {skipped > 0 ? <p class="label">{skipped} earlier entries are not shown</p> : null}
      {entries.map((entry, index) => (
        <EntryView key={skipped + index} entry={entry} chat={chat} />
      ))}
      <Doing chat={chat} {...(task === undefined ? {} : { task })} />
    </div>
  );
}

/** What the agent is doing now, and how far a cancellation has come. */
function Doing({
  chat,
  task,
}: {
  readonly chat: Conversation;
  readonly task?: ChatTask;
}): ComponentChild {
  void conversationsVersion.value;
  const cancel = task?.cancel;
  const isActive =
    chat.isLive && (task === undefined || !(isOver(task.state) || isAsking(task.state)));
  if (!isActive && cancel === undefined) return null;
  return (
    <div class="doing stack-tight">
      {isActive ? (
        <p class="row" data-testid="doing">
          <Mark tone="working" />
          <span class="soft">{task?.doing ?? (task === undefined ? "Sent" : "At work")}</span>
        </p>
      ) : null}
      {cancel === undefined || task === undefined ? null : (
        <p
          class="row"
          data-testid="cancel-line"
          data-cancel={isOver(task.state) ? "ended" : cancel}
        >
          <Mark tone={cancel === "refused" ? "failed" : "neutral"} shape="ring" />
          <span class="soft">{cancelWords(cancel, isOver(task.state))}</span>
        </p>
      )}
    </div>
  );
}

function cancelWords(cancel: NonNullable<ChatTask["cancel"]>, isEnded: boolean): string {
  if (cancel === "refused") return "Cancel asked · refused";
  const words = ["Cancel asked", ...(cancel === "acknowledged" ? ["acknowledged"] : [])];
  return [...words, ...(isEnded ? ["ended"] : [])].join(" · ");
}
