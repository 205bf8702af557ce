import type { Recording } from "../../../model/index.js";
import { readRecording, recordingLimits } from "../../../model/index.js";
import { navigate } from "../../router/route.js";
import { announce } from "../../state/announce.js";
import { capabilities, startProblem } from "../../state/capabilities.js";
import { showRecordedHops } from "../../state/hops.js";
import { showRecordedPushes } from "../../state/pushes.js";
import { recording } from "../../state/recording.js";
import { preload } from "./preload.js";

/** Reads a recording and shows it in place of whatever was there. The file stays in this tab: nothing is sent anywhere. */
export async function openRecording(file: Blob): Promise<Recording> {
  if (file.size > recordingLimits.maxBytes) {
    throw new Error(
      `the file has ${file.size} bytes; a recording may have ${recordingLimits.maxBytes}`,
    );
  }
  return showRecording(textOf(file));
}

/** Reads a recording that the backend was started with. */
export async function openRecordingText(text: string): Promise<Recording> {
  return showRecording([text]);
}

async function* textOf(file: Blob): AsyncGenerator<string, void, void> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function showRecording(pieces: AsyncIterable<string> | Iterable<string>): Promise<Recording> {
  const [read, { withSessionLogs }] = await Promise.all([
    readRecording(pieces),
    import("../../../model/recording/with-session-logs.js"),
    preload(),
  ]);
  const opened = withSessionLogs(read);
  recording.value = opened;
  showRecordedHops(opened.hops, opened.resumptions);
  showRecordedPushes(opened);
  const known = capabilities.peek();
  capabilities.value = {
    mode: "file",
    version: known?.version ?? opened.version,
    agents: [],
    versions: known?.versions ?? [],
    canCall: false,
    canConnect: false,
    canRead: false,
    canOperate: false,
    canCancel: false,
    canSeePushes: false,
    canReceive: false,
  };
  startProblem.value = undefined;
  announce(`Recording opened, ${opened.logs.size} tasks`);
  const only = opened.logs.size === 1 ? opened.logs.keys().next().value : undefined;
  navigate(only === undefined ? ["tasks"] : ["tasks", only]);
  return opened;
}
