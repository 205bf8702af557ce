import type { ComponentChild } from "preact";
import { href, route } from "../router/route.js";
import { screens } from "../screens/registry.js";
import { capabilities } from "../state/capabilities.js";
import { allConversations, conversationsVersion } from "../state/conversations.js";
import { navigationCounts } from "../state/navigation-counts.js";
import { Mark, stateLook, VisibleName } from "../ui/index.js";

/** The screens that this mode has. */
export function Navigation({ onGo }: { readonly onGo: () => void }): ComponentChild {
  const able = capabilities.value;
  const at = route.value.path[0];
  return (
    <nav class="nav" aria-label="Screens">
      <ul class="plain">
        {screens
          .filter(({ isThere }) => able !== undefined && isThere(able))
          .map((screen) => {
            const count = navigationCounts.value[screen.route];
            return (
              <li key={screen.route}>
                <a
                  class="nav-item"
                  href={href([screen.route])}
                  aria-current={at === screen.route ? "page" : undefined}
                  onClick={onGo}
                >
                  {screen.title}
                  {count === undefined ? null : (
                    <span class="nav-count" data-tone={count.tone}>
                      {count.value.toLocaleString("en")}
                    </span>
                  )}
                </a>
              </li>
            );
          })}
      </ul>
      <ConversationList onGo={onGo} />
    </nav>
  );
}

/** The conversations of this visit, newest first. */
function ConversationList({ onGo }: { readonly onGo: () => void }): ComponentChild {
  void conversationsVersion.value;
  const all = allConversations();
  const [screen, key] = route.value.path;
  if (all.length === 0) return null;
  return (
    <>
      <div class="nav-group">
        <h2 class="label">Conversations</h2>
        <a class="nav-new" href={href(["chat"])} onClick={onGo}>
          New
        </a>
      </div>
      <ul class="plain">
        {all.slice(0, 50).map((chat) => {
          const task = chat.taskId === undefined ? undefined : chat.tasks.get(chat.taskId);
          const { tone, shape, word } = stateLook(task?.state ?? "TASK_STATE_COMPLETED");
          return (
            <li key={chat.key}>
              <a
                class="nav-item nav-chat"
                href={href(["chat", chat.key])}
                aria-current={screen === "chat" && key === chat.key ? "true" : undefined}
                onClick={onGo}
              >
                <Mark tone={tone} {...(shape === undefined ? {} : { shape })} />
                <span class="cut">
                  <VisibleName name={chat.title} />
                </span>
                <span class="unseen">{word}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );
}
