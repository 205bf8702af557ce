import type { Codec } from "../codec.js";
import { sendResultOf } from "../members/result-parsers.js";
import { decodeEvent } from "./stream-response.js";
import { decodeTask } from "./task.js";

/** The decoders of results that every client needs: a task, or a message. */
export const decodeTaskResult: Pick<
  Codec["decodeResult"],
  "sendMessage" | "getTask" | "cancelTask"
> = {
  sendMessage: sendResultOf(decodeEvent),
  getTask: decodeTask,
  cancelTask: decodeTask,
};
