/** What the page knows of logs, hops and dialects, without a document to show them in. */

// A log, and its task at any entry
export { LogIndex } from "./log/log-index.js";
export type { StatusPoint } from "./log/log-index.js";
export { StateView } from "./log/state-view.js";
export { ArtifactView } from "./log/artifact-track.js";
export type { ArtifactHeader } from "./log/artifact-track.js";
export { describeEntry, entrySize, glance, isPrivate, kindOf } from "./log/describe-entry.js";
export type { EntryKind, EntryText } from "./log/describe-entry.js";
export { isWaiting, nameOfState, toneOfState } from "./log/states.js";
export type { Tone } from "./log/states.js";
export { sizeOf } from "./log/size-of.js";

// A timeline
export { Rows, defaultRowOptions } from "./timeline/rows.js";
export type { Row, RowOptions } from "./timeline/rows.js";
export { Axis } from "./timeline/axis.js";
export type { Band, IdleStretch } from "./timeline/axis.js";
export { chunkRates } from "./timeline/chunk-rates.js";
export { spanOfDelivery, spanOfHop, spanOfPush, spansOfLog } from "./timeline/waterfall.js";
export { SpanAxis } from "./timeline/span-axis.js";
export type { Span } from "./timeline/waterfall.js";

// Differences
export { diffJson, textOfValue } from "./diff/json-diff.js";
export type { Difference } from "./diff/json-diff.js";
export { diffStates } from "./diff/state-diff.js";
export { diffTexts } from "./diff/text-diff.js";
export type { TextStretch } from "./diff/text-diff.js";

// Tasks
export { comparableTask } from "./task/comparable.js";
export { alignEvents, comparedEvents } from "./task/align-events.js";
export type { AlignedEvent, ComparedEvent } from "./task/align-events.js";
export { linksOf, taskTree } from "./task/task-tree.js";
export type { TaskLinks, TreeNode, TreeReason, TreeTask } from "./task/task-tree.js";
export { messagesUpTo } from "./task/restart.js";
export type { AgainMessage } from "./task/restart.js";
export { describeStuck } from "./task/stuck.js";
export { recordOfLog } from "./task/record-of-log.js";
export { StreamLog } from "./task/stream-log.js";

// Recordings
export { NotARecording, readRecording, recordingLimits } from "./recording/read-recording.js";
export type { Recording, RecordingLimits } from "./recording/read-recording.js";
export { recordingLines, writeRecording } from "./recording/write-recording.js";
export { testFileOf } from "./recording/test-file.js";

// Numbers and times as people read them
export {
  formatBytes,
  formatClock,
  formatCount,
  formatDuration,
  formatMoment,
  formatOffset,
  shortId,
} from "./format.js";
