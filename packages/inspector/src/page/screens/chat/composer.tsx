import type { JsonObject, Part } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Conversation } from "../../../model/chat/conversation.js";
import { isAsking, isOver } from "../../../model/chat/conversation.js";
import { sizeOfPart } from "../../../model/content/part-content.js";
import { formatBytes } from "../../../model/format.js";
import { capabilities } from "../../state/capabilities.js";
import { connection } from "../../state/connection.js";
import { conversationsVersion, send } from "../../state/conversations.js";
import { Button, Field, Icon, KeyHint, VisibleName } from "../../ui/index.js";
import { readFiles } from "./read-files.js";

/** What the composer begins with: an example, or a message that is to be sent again. */
export interface Prefill {
  /** Another number, another prefill. */
  readonly id: number;
  readonly text: string;
  readonly files?: readonly Part[];
  readonly metadata?: JsonObject;
  /** Not an answer to the task, but a task of its own. */
  readonly isNewTask?: boolean;
}

/** Where messages are written. Files are dropped or pasted there. */
export function Composer({
  chat,
  prefill,
}: {
  readonly chat?: Conversation;
  readonly prefill?: Prefill;
}): ComponentChild {
  // A conversation changes in place.
  void conversationsVersion.value;
  const at = connection.value;
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly Part[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [metadata, setMetadata] = useState("");
  const [taskId, setTaskId] = useState("");
  const [contextId, setContextId] = useState("");
  const [isBlocking, setBlocking] = useState(false);
  const [isNotified, setNotified] = useState(false);
  const [isNewTask, setNewTask] = useState(false);
  const [isOver_, setDragOver] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (prefill === undefined) return;
    setText(prefill.text);
    setFiles(prefill.files ?? []);
    setMetadata(prefill.metadata === undefined ? "" : JSON.stringify(prefill.metadata, null, 2));
    setNewTask(prefill.isNewTask === true);
    input.current?.focus();
  }, [prefill?.id]);
  const task = chat?.taskId === undefined ? undefined : chat.tasks.get(chat.taskId);
  const isAnswer = task !== undefined && isAsking(task.state) && !isNewTask;
  const read = readMetadata(metadata);
  const canSend =
    at !== undefined &&
    chat?.isLive !== true &&
    read !== "wrong" &&
    (text !== "" || files.length > 0);
  const submit = (): void => {
    if (!canSend) return;
    const target = taskId !== "" ? taskId : isAnswer ? task.id : undefined;
    void send(
      {
        text,
        files,
        isBlocking,
        isNotified,
        ...(target === undefined ? {} : { taskId: target }),
        ...(contextId === "" ? {} : { contextId }),
        ...(read === undefined ? {} : { metadata: read }),
      },
      chat,
    );
    setText("");
    setFiles([]);
    setTaskId("");
    setNewTask(false);
  };
  const add = (list: FileList | undefined | null): void => {
    if (list === undefined || list === null || list.length === 0) return;
    void readFiles(list).then((parts) => setFiles((before) => [...before, ...parts]));
  };
  const name = at?.card.name ?? "the agent";
  return (
    <div class="composer-area">
      {isOpen ? (
        <div class="composer-options">
          <Field
            label="Task"
            value={taskId}
            onInput={setTaskId}
            placeholder={task !== undefined && !isOver(task.state) ? task.id : "a new one"}
            mono
          />
          <Field
            label="Context"
            value={contextId}
            onInput={setContextId}
            placeholder={chat?.contextId ?? "a new one"}
            mono
          />
          <Field
            label="Metadata of the message, as JSON"
            value={metadata}
            onInput={setMetadata}
            rows={2}
            mono
            {...(read === "wrong" ? { error: "Not a JSON object" } : {})}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={isBlocking}
              onChange={(event) => setBlocking(event.currentTarget.checked)}
            />
            Wait for one answer, without a stream
          </label>
          {capabilities.value?.canReceive === true && at?.card.capabilities.pushNotifications ? (
            <label class="check">
              <input
                type="checkbox"
                checked={isNotified}
                onChange={(event) => setNotified(event.currentTarget.checked)}
              />
              Notify the receiver on the screen Push
            </label>
          ) : null}
        </div>
      ) : null}
      {files.length === 0 ? null : (
        <ul class="plain row">
          {files.map((file, index) => (
            <li key={index} class="chip" data-tone="artifact">
              <VisibleName name={file.filename ?? "file"} /> {formatBytes(sizeOfPart(file))}
              <button
                type="button"
                class="chip-close"
                aria-label={`Remove ${file.filename ?? "file"}`}
                onClick={() => setFiles(files.toSpliced(index, 1))}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div
        class="composer"
        data-over={isOver_ ? "" : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setDragOver(true);
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setDragOver(false);
          add(event.dataTransfer?.files);
        }}
      >
        <textarea
          ref={input}
          data-testid="composer"
          data-search=""
          aria-label={isAnswer ? `Answer ${name}` : `Message ${name}`}
          placeholder={isAnswer ? `Answer ${name}` : `Message ${name}`}
          rows={Math.min(8, Math.max(1, text.split("\n").length))}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onPaste={(event) => add(event.clipboardData?.files)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              submit();
            }
          }}
        />
        <Button
          kind="quiet"
          label="Options: task, context, metadata"
          expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Options
        </Button>
        <Button kind="quiet" shape="icon" label="Add files" onClick={() => picker.current?.click()}>
          <Icon name="plus" />
        </Button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            add(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
        <Button kind="filled" onClick={submit} disabled={!canSend} testId="send">
          {isAnswer ? "Answer" : "Send"}
          <KeyHint keys="Ctrl+Enter" />
        </Button>
      </div>
    </div>
  );
}

function readMetadata(text: string): JsonObject | undefined | "wrong" {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : "wrong";
  } catch {
    return "wrong";
  }
}
