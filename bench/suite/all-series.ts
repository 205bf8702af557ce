import { chunks } from "../series/chunks.js";
import { client } from "../series/client.js";
import { fanOut } from "../series/fan-out.js";
import { getTask } from "../series/get-task.js";
import { grpc } from "../series/grpc.js";
import { idleTasks } from "../series/idle-tasks.js";
import { inspector } from "../series/inspector.js";
import { largeTask } from "../series/large-task.js";
import { lifecycle } from "../series/lifecycle.js";
import { listTasks } from "../series/list-tasks.js";
import { longStream } from "../series/long-stream.js";
import { manyStreams } from "../series/many-streams.js";
import { messages } from "../series/messages.js";
import { start } from "../series/start.js";
import { telemetry } from "../series/telemetry.js";
import { watchers } from "../series/watchers.js";
import type { Series } from "./series.js";

/** In the order in which results are shown. */
export const allSeries: readonly Series[] = [
  messages,
  lifecycle,
  chunks,
  longStream,
  getTask,
  listTasks,
  watchers,
  fanOut,
  manyStreams,
  idleTasks,
  largeTask,
  grpc,
  client,
  start,
  telemetry,
  inspector,
];
