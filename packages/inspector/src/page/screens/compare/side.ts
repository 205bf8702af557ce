import type { ProtocolVersion, Task } from "@parley/a2a";
import type { Connection, Problem } from "../../../contract/index.js";
import { comparedEvents, LogIndex, StreamLog } from "../../../model/index.js";
import type { ComparedEvent } from "../../../model/index.js";
import { api, problemOf } from "../../api/index.js";
import { sendInTurn } from "../task/send-in-turn.js";

/** Which agent a side is, and as what it is called. */
export interface SideChoice {
  readonly url: string;
  /** Empty: the client chooses. */
  readonly version: ProtocolVersion | "";
}

/** What a side answered to the message that both got. */
export interface SideAnswer {
  readonly events: readonly ComparedEvent[];
  readonly task: Task | undefined;
  readonly timing: {
    /** Milliseconds after the message was sent. */
    readonly firstEvent: number | undefined;
    readonly end: number;
    readonly chunks: number;
  };
  readonly problem?: Problem;
}

export async function connectSide({ url, version }: SideChoice): Promise<Connection> {
  return api.post<Connection>("connections", { url, ...(version !== "" && { version }) });
}

export function disconnectSide(connection: Connection | undefined): void {
  if (connection !== undefined)
    void api.delete(`connections/${connection.id}`).catch(() => undefined);
}

/** Sends a text, and keeps what comes back, with its times. */
export async function askSide(connection: Connection, text: string): Promise<SideAnswer> {
  const log = new StreamLog();
  const begin = Date.now();
  let firstEvent: number | undefined;
  let problem: Problem | undefined;
  try {
    await sendInTurn(connection.id, [{ parts: [{ text }] }], {
      onSent: (message, at) => log.sent(message, at),
      onEvent: (event, at) => {
        firstEvent ??= at - begin;
        log.add(event, at);
      },
    });
  } catch (error) {
    problem = problemOf(error);
  }
  const times = { firstEvent, end: Date.now() - begin };
  return { ...answerOf(new LogIndex(log.entries), times), ...(problem && { problem }) };
}

/** What a log says that a side has done. */
export function answerOf(
  index: LogIndex,
  times: Pick<SideAnswer["timing"], "firstEvent" | "end">,
): SideAnswer {
  const events = comparedEvents(index);
  const chunks = events.reduce(
    (sum, event) => sum + (event.kind === "artifact" ? event.chunks : 0),
    0,
  );
  return {
    events,
    task: index.length === 0 ? undefined : index.at(index.length - 1).task(),
    timing: { ...times, chunks },
  };
}
