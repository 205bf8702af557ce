import type { Codec } from "../codec.js";
import { sendResultOf, taskListOf } from "../result-parsers.js";
import { decodeEvent } from "./stream-response.js";
import { decodeTask } from "./task.js";

/** The answers that every client has to read: those about tasks. */
export const decodeTaskResult: Pick<
  Codec["decodeResult"],
  "sendMessage" | "getTask" | "listTasks" | "cancelTask"
> = {
  sendMessage: sendResultOf(decodeEvent),
  getTask: decodeTask,
  listTasks: taskListOf(decodeTask),
  cancelTask: decodeTask,
};
