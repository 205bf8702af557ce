import type { Message } from "@parley/a2a";
import type { ComponentChild } from "preact";
import type { ChatEntry, Conversation } from "../../../model/chat/conversation.js";
import { textOfParts } from "../../../model/chat/conversation.js";
import { resumptionWords } from "../../../model/chat/resumption-words.js";
import { formatClock, formatDuration } from "../../../model/format.js";
import { Markdown } from "../../content/markdown.js";
import { PartPreview } from "../../content/part-preview.js";
import { connection } from "../../state/connection.js";
import { conversationsVersion } from "../../state/conversations.js";
import { Chip, ErrorBox, Icon, stateLook, VisibleName } from "../../ui/index.js";
import { ArtifactView } from "./artifact-view.js";

/** One entry of a conversation. */
export function EntryView({
  entry,
  chat,
}: {
  readonly entry: ChatEntry;
  readonly chat: Conversation;
}): ComponentChild {
  // Entries change in place: a question gets its answer, an artifact its chunks.
  void conversationsVersion.value;
  switch (entry.kind) {
    case "said":
      return <Said message={entry.message} at={entry.at} />;
    case "question":
      return <Question entry={entry} />;
    case "artifact": {
      const artifact = chat.tasks.get(entry.taskId)?.artifacts.get(entry.artifactId);
      return artifact === undefined ? null : <ArtifactView artifact={artifact} at={entry.at} />;
    }
    case "ended": {
      const { tone, word } = stateLook(entry.state);
      return (
        <p class="row chat-note">
          <Chip tone={tone}>{word}</Chip>
          <span class="soft">{formatClock(entry.at)}</span>
        </p>
      );
    }
    case "resumed": {
      const { by, lost, repeated } = entry.resumption;
      return (
        <p
          class="drop-row"
          data-testid="drop"
          data-resumed-by={by}
          data-lost={lost}
          data-repeated={repeated}
        >
          <Icon name="cut" />
          <span class="strong">Connection cut</span>
          <span class="soft">{resumptionWords(entry.resumption)}</span>
        </p>
      );
    }
    case "problem":
      return <ErrorBox problem={entry.problem} />;
  }
}

function Said({ message, at }: { readonly message: Message; readonly at: number }): ComponentChild {
  const isMine = message.role === "ROLE_USER";
  return (
    <article class={isMine ? "said said-mine" : "said"} data-role={isMine ? "user" : "agent"}>
      {isMine ? null : <Speaker at={at} />}
      {message.parts.map((part, index) =>
        isMine && part.text !== undefined ? (
          <p key={index} class="said-text">
            {part.text.length > 4000 ? `${part.text.slice(0, 4000)}…` : part.text}
          </p>
        ) : isMine ? (
          <p key={index} class="row">
            <Icon name="file" />
            <VisibleName name={part.filename ?? part.mediaType ?? "data"} />
          </p>
        ) : (
          <PartPreview key={index} part={part} />
        ),
      )}
    </article>
  );
}

export function Speaker({
  at,
  note,
}: {
  readonly at: number;
  readonly note?: string;
}): ComponentChild {
  return (
    <p class="speaker">
      <span class="strong">
        <VisibleName name={connection.value?.card.name ?? "Agent"} />
      </span>
      <span class="soft">{formatClock(at)}</span>
      {note === undefined ? null : <span class="soft">{note}</span>}
    </p>
  );
}

function Question({
  entry,
}: {
  readonly entry: Extract<ChatEntry, { kind: "question" }>;
}): ComponentChild {
  void conversationsVersion.value;
  const text = textOfParts(entry.message.parts);
  const isAnswered = entry.answeredAt !== undefined;
  return (
    <article class="said" data-testid="question">
      <Speaker at={entry.at} />
      <Markdown text={text === "" ? "The agent waits for you." : text} />
      <p class="row">
        <Chip tone="waiting">{isAnswered ? "Asked" : "Waits for your answer"}</Chip>
        {entry.answeredAt === undefined ? null : (
          <>
            <span class="strong cut">{entry.answer}</span>
            <span class="soft">answered after {formatDuration(entry.answeredAt - entry.at)}</span>
          </>
        )}
      </p>
    </article>
  );
}
