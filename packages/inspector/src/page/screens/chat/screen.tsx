import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Conversation } from "../../../model/chat/conversation.js";
import { isOver } from "../../../model/chat/conversation.js";
import { href, navigate, route } from "../../router/route.js";
import { connection } from "../../state/connection.js";
import { cancel, conversationOf, conversationsVersion } from "../../state/conversations.js";
import { Button, EmptyState, PaneHead, StateBadge, VisibleName } from "../../ui/index.js";
import { Composer } from "./composer.js";
import type { Prefill } from "./composer.js";
import { ConversationView } from "./conversation-view.js";
import { FaultMenu } from "./fault-menu.js";
import "./chat.css";

/** Talks to the agent. */
export function Screen(): ComponentChild {
  void conversationsVersion.value;
  const at = connection.value;
  const chat = conversationOf(route.value.path[1]);
  const [prefill, setPrefill] = useState<Prefill>();
  const examples = useMemo(
    () => at?.card.skills.flatMap(({ examples: all = [] }) => all.slice(0, 1)) ?? [],
    [at],
  );
  const task = chat?.taskId === undefined ? undefined : chat.tasks.get(chat.taskId);
  return (
    <>
      <PaneHead
        title={<VisibleName name={chat?.title ?? "New conversation"} />}
        tools={chat === undefined ? undefined : <ChatTools chat={chat} onAgain={setPrefill} />}
      >
        {task === undefined ? null : (
          <span data-testid="task" data-task-id={task.id} data-state={task.state}>
            <StateBadge state={task.state} />
          </span>
        )}
      </PaneHead>
      {chat === undefined ? (
        <div class="pane-body chat-empty">
          {at === undefined ? (
            <EmptyState
              title="No agent yet"
              action={<Button onClick={() => navigate(["connect"])}>Connect to an agent</Button>}
            />
          ) : (
            <EmptyState title={`Say something to ${at.card.name}`}>
              {examples.length === 0
                ? "Write below, or drop a file."
                : "Write below, or begin with an example."}
            </EmptyState>
          )}
          <div class="chat-examples">
            {examples.slice(0, 8).map((text) => (
              <Button key={text} onClick={() => setPrefill({ text, id: Date.now() })}>
                {text}
              </Button>
            ))}
          </div>
        </div>
      ) : (
        <ConversationView chat={chat} />
      )}
      <Composer
        {...(chat === undefined ? {} : { chat })}
        {...(prefill === undefined ? {} : { prefill })}
      />
    </>
  );
}

function ChatTools(props: {
  readonly chat: Conversation;
  readonly onAgain: (prefill: Prefill) => void;
}): ComponentChild {
  const { chat, onAgain } = props;
  const task = chat.taskId === undefined ? undefined : chat.tasks.get(chat.taskId);
  const mine = chat.entries.findLast(
    (entry) => entry.kind === "said" && entry.message.role === "ROLE_USER",
  );
  const earlier = [...chat.tasks.keys()].at(-2);
  return (
    <>
      {task === undefined ? null : (
        <a class="mono soft chat-task" href={href(["tasks", task.id])} title={`Task ${task.id}`}>
          task {shortId(task.id)}
        </a>
      )}
      {chat.isLive ? <FaultMenu /> : null}
      {task === undefined || isOver(task.state) ? null : (
        <Button kind="danger" onClick={() => void cancel(chat, task.id)} testId="cancel">
          Cancel
        </Button>
      )}
      {task !== undefined && earlier !== undefined && !chat.isLive ? (
        <a class="button" href={href(["compare"], { left: earlier, right: task.id })}>
          Compare
        </a>
      ) : null}
      {mine?.kind === "said" && !chat.isLive ? (
        <Button
          testId="again"
          onClick={() =>
            onAgain({
              id: Date.now(),
              text: mine.message.parts.map((part) => part.text ?? "").join(""),
              files: mine.message.parts.filter((part) => part.text === undefined),
              ...(mine.message.metadata === undefined ? {} : { metadata: mine.message.metadata }),
              isNewTask: true,
            })
          }
        >
          Send again
        </Button>
      ) : null}
    </>
  );
}

function shortId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 4)}…${id.slice(-3)}`;
}
