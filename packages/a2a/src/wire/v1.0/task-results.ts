import type { Codec } from "../codec.js";
import { sendResultOf } from "../members/result-parsers.js";
import { decodeEvent } from "./stream-response.js";
import { decodeTask } from "./task.js";

/** The answers that every client has to read: those about one task. */
export const decodeTaskResult: Pick<
  Codec["decodeResult"],
  "sendMessage" | "getTask" | "cancelTask"
> = {
  sendMessage: sendResultOf(decodeEvent),
  getTask: decodeTask,
  cancelTask: decodeTask,
};
