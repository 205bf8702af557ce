import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../../../contract/index.js";
import { glance } from "../../../model/index.js";
import type { AgainMessage } from "../../../model/index.js";
import { problemOf } from "../../api/index.js";
import { navigate } from "../../router/route.js";
import { connection } from "../../state/connection.js";
import { Button, ErrorBox } from "../../ui/index.js";
import { sendInTurn } from "./send-in-turn.js";

/** Asks before the messages of a task are sent again as a new one. */
export function RestartDialog(props: {
  readonly messages: readonly AgainMessage[];
  readonly sequence: number;
  readonly onClose: () => void;
}): ComponentChild {
  const box = useRef<HTMLDialogElement>(null);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => box.current?.showModal(), []);
  const send = (): void => {
    const at = connection.peek();
    if (at === undefined) return;
    setSending(true);
    setProblem(undefined);
    sendInTurn(at.id, props.messages, {
      onTask: (taskId) => {
        props.onClose();
        navigate(["tasks", taskId]);
      },
    }).catch((error: unknown) => {
      setProblem(problemOf(error));
      setSending(false);
    });
  };
  return (
    <dialog
      ref={box}
      class="dialog restart"
      aria-label="Start again from here"
      onClose={props.onClose}
    >
      <div class="stack">
        <h2>Start again from entry {props.sequence}</h2>
        <p class="soft">
          A2A cannot rewind a task: what the agent did stays done. The caller's messages up to this
          entry are sent one after the other, as a <strong>new</strong> task.
        </p>
        <ol class="restart-messages">
          {props.messages.map(({ parts }, index) => (
            <li key={index}>{glance(parts)}</li>
          ))}
        </ol>
        {problem === undefined ? null : <ErrorBox problem={problem} />}
        <div class="row">
          <Button
            kind="filled"
            disabled={isSending || props.messages.length === 0}
            onClick={send}
            testId="restart-send"
          >
            {isSending ? "Sending" : "Send as a new task"}
          </Button>
          <Button onClick={() => box.current?.close()}>Keep the task</Button>
        </div>
      </div>
    </dialog>
  );
}
