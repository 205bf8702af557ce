import { isSettled, probeMessage, stateOf, taskIdOf } from "../../probe/probe-message.js";
import type { Arrival, Streamed } from "../../probe/session.js";
import type { InterfaceCheck } from "../check.js";
import { broken, ok, warn } from "@parley/inspector/probe";
import type { Finding } from "@parley/inspector/probe";

/** A stream streams: events arrive while the agent works, and the connection lasts until it is done. */
export const stream: InterfaceCheck = {
  name: "stream",
  proves: "Events arrive while the agent works, and the stream goes on to the end of the task.",
  sends: true,
  async run({ session, target, options, begun }) {
    const isDeclared = target.card.capabilities.streaming === true;
    const streamed = await session.stream("sendStreamingMessage", probeMessage(options.message));
    for (const { response } of streamed.arrivals) {
      const id = taskIdOf(response);
      if (id !== undefined) begun.add(id);
    }
    if (!isDeclared) return judgeUndeclared(streamed);
    return judgeStart(streamed) ?? judgeEnd(streamed) ?? judgePace(streamed) ?? praise(streamed);
  },
};

function judgeUndeclared({ arrivals, exchange }: Streamed): Finding {
  const type = exchange?.headers.get("content-type") ?? "";
  if (arrivals.length === 0 || !type.startsWith("text/event-stream")) {
    return ok("the card declares no streaming, and the agent refuses it");
  }
  return warn(
    "the agent streams, and its card does not say so",
    "declare capabilities.streaming: true; clients do not try what is not declared",
  );
}

function judgeStart({ arrivals, error, exchange }: Streamed): Finding | undefined {
  const type = exchange?.headers.get("content-type") ?? "";
  if (exchange?.headers.get("content-encoding") && type.startsWith("text/event-stream")) {
    return broken(
      `the stream is compressed (Content-Encoding: ${exchange.headers.get("content-encoding")}), which holds events back until a block is full`,
      "exclude text/event-stream from compression in the proxy or the framework",
    );
  }
  if (arrivals.length === 0) {
    return broken(
      `the card declares streaming, and the call is answered with ${error === undefined ? "an empty stream" : `${error.code}: ${error.message}`}`,
      "serve streaming, or declare capabilities.streaming: false",
    );
  }
  if (exchange === undefined || type.startsWith("text/event-stream")) return undefined;
  return broken(
    `a call for a stream is answered with Content-Type: ${type}`,
    "answer with text/event-stream; look whether a proxy collects the answer, or declare capabilities.streaming: false",
  );
}

function judgeEnd(streamed: Streamed): Finding | undefined {
  const { arrivals, error, endedAtMs, isCutShort } = streamed;
  const states = arrivals.flatMap(({ response }) => stateOf(response) ?? []);
  const isDone =
    arrivals.some(({ response }) => response.message !== undefined) ||
    states.some((state) => isSettled(state));
  if (isDone) return undefined;
  const last = arrivals.at(-1)?.atMs ?? 0;
  if (isCutShort) return undefined;
  const silent = inSeconds(endedAtMs - last);
  return broken(
    `the connection ended after ${inSeconds(endedAtMs)}, ${silent} after the last event, while the task went on${error === undefined ? "" : ` (${error.message})`}`,
    "raise the idle timeout of the proxy (nginx: proxy_read_timeout, AWS: idle timeout of the load balancer), or let the server send a heartbeat more often",
  );
}

/** A wait that is long enough to tell. */
const noticeableMs = 300;

/**
 * Compares when events arrived with when the server says that they arose. A proxy that holds the answer back
 * delivers everything at the end.
 */
function judgePace({ arrivals }: Streamed): Finding | undefined {
  const [first, last] = [arrivals[0], arrivals.at(-1)];
  if (first === undefined || last === undefined || arrivals.length < 2) return undefined;
  const arrivedMs = last.atMs - first.atMs;
  const aroseMs = arosePeriod(arrivals);
  const found = `all ${arrivals.length} events arrived at once after ${inSeconds(first.atMs)}`;
  const fix =
    "turn off buffering for this path: nginx proxy_buffering off (or the header X-Accel-Buffering: no), Apache flushpackets=on, no compression of text/event-stream";
  if (aroseMs > noticeableMs && arrivedMs < aroseMs / 4 && first.atMs > aroseMs / 2) {
    return broken(`${found}, although they arose over ${inSeconds(aroseMs)}`, fix);
  }
  if (aroseMs === 0 && arrivals.length > 2 && first.atMs > 1000 && arrivedMs < 50) {
    return warn(`${found}; a proxy may hold them back`, fix);
  }
  return undefined;
}

/** How long the server says that it took, by the timestamps of the states that it told. */
function arosePeriod(arrivals: readonly Arrival[]): number {
  const times = arrivals.flatMap(({ response: { task, statusUpdate } }) => {
    const time = Date.parse((task ?? statusUpdate)?.status.timestamp ?? "");
    return Number.isNaN(time) ? [] : [time];
  });
  return times.length < 2 ? 0 : Math.max(...times) - Math.min(...times);
}

function praise({ arrivals, endedAtMs, isCutShort }: Streamed): Finding {
  const first = `the first event after ${Math.round(arrivals[0]?.atMs ?? 0)} ms`;
  if (isCutShort) return ok(`${first}; the task works for longer than the time of this check`);
  const count = arrivals.length === 1 ? "one event" : `${arrivals.length} events`;
  const more =
    arrivals.length === 1 ? "; --message TEXT that makes the agent stream shows more" : "";
  return ok(`${count}, ${first}, the end after ${inSeconds(endedAtMs)}${more}`);
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
