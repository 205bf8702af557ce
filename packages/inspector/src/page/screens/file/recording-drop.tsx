import "./file.css";
import type { ComponentChild } from "preact";
import { useRef, useState } from "preact/hooks";
import { NotARecording } from "../../../model/index.js";
import type { Problem } from "../../../contract/index.js";
import { problemOf } from "../../api/index.js";
import { Button, ErrorBox, Icon } from "../../ui/index.js";
import { openRecording } from "./open-recording.js";

/** Where a recording is dropped, or chosen. */
export function RecordingDrop(): ComponentChild {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const read = (file: File | undefined): void => {
    if (file === undefined) return;
    setReading(true);
    setProblem(undefined);
    openRecording(file)
      .catch((error: unknown) =>
        setProblem(
          error instanceof NotARecording
            ? {
                code: "INVALID_PARAMS",
                message: `${file.name}: ${error.message}`,
                hint: "Save one from a task, with the button Save.",
              }
            : problemOf(error),
        ),
      )
      .finally(() => setReading(false));
  };
  return (
    <div class="stack">
      <div
        class="drop"
        data-over={isOver ? "" : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          read(event.dataTransfer?.files[0]);
        }}
      >
        <Icon name="file" size={28} />
        <h3>{isReading ? "Reading" : "Drop a recording here"}</h3>
        <p class="soft">
          A <code>.parley.jsonl</code> file holds hops, events, logs and deliveries. It is read in
          this tab, and nothing is sent anywhere.
        </p>
        <Button kind="filled" disabled={isReading} onClick={() => input.current?.click()}>
          Open a file
        </Button>
        <input
          ref={input}
          class="unseen"
          type="file"
          accept=".jsonl"
          aria-label="Recording"
          tabIndex={-1}
          data-testid="recording"
          onChange={(event) => read(event.currentTarget.files?.[0])}
        />
      </div>
      {problem === undefined ? null : <ErrorBox problem={problem} />}
    </div>
  );
}
