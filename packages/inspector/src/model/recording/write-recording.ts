import type { RecordingLine } from "../../contract/index.js";
import type { Recording } from "./read-recording.js";

/** The lines of a recording, the header first. */
export function* recordingLines(
  recording: Omit<Recording, "problems">,
): Generator<RecordingLine, void, void> {
  const { version, savedAt, agent, hops, resumptions, deliveries, pushes, tasks, logs } = recording;
  yield { kind: "recording", format: 1, version, savedAt, ...(agent && { agent }) };
  for (const hop of hops) yield { kind: "hop", hop };
  for (const resumption of resumptions) yield { kind: "resumed", resumption };
  for (const delivery of deliveries) yield { kind: "delivery", delivery };
  for (const attempt of pushes) yield { kind: "push", attempt };
  for (const record of tasks) yield { kind: "task", record };
  for (const [taskId, entries] of logs) {
    for (const entry of entries) yield { kind: "entry", taskId, entry };
  }
}

/** The text of a `.parley.jsonl` file. A line that cannot be written, because it is nested too deeply, is left out. */
export function writeRecording(recording: Omit<Recording, "problems">): string {
  let text = "";
  for (const line of recordingLines(recording)) {
    try {
      text += `${JSON.stringify(line)}\n`;
    } catch {
      // What the reader then misses is named there, by the gap in the sequence.
    }
  }
  return text;
}
