import { probeMessage, unknownTaskId } from "../../probe/probe-message.js";
import type { Streamed } from "../../probe/session.js";
import { every, expectThat, fail, overHttp, pass, since02, skip } from "../check.js";
import type { ConformanceCheck, Observation } from "../check.js";
import { isComplete, told } from "../subject.js";
import type { Subject } from "../subject.js";
import { asObject, eventsOf, framesOf } from "../wire-json.js";
import type { Json } from "../wire-json.js";

/** Why a stream is not looked at. */
export const undeclared = "the card declares no streaming";

/** Whether the card declares streaming. */
export function streams({ card }: Subject): boolean {
  return card.capabilities.streaming === true;
}

/** A check of the stream of a message. */
function ofStream(
  id: ConformanceCheck["id"],
  more: Omit<ConformanceCheck, "id" | "run">,
  judge: (streamed: Streamed, subject: Subject) => Observation | Promise<Observation>,
): ConformanceCheck {
  return {
    id,
    ...more,
    async run(subject) {
      if (!streams(subject)) return skip(undeclared);
      const streamed = await subject.streamed();
      if (streamed.arrivals.length === 0)
        return fail(`the call is answered with ${told(streamed)}`);
      return judge(streamed, subject);
    },
  };
}

/** A check that every event of a kind has some members, on the wire of 1.0. */
function withMembers(
  id: ConformanceCheck["id"],
  kind: string,
  needed: readonly string[],
): ConformanceCheck {
  return ofStream(id, { bindings: overHttp }, ({ exchange }) => {
    const updates = eventsOf(exchange).flatMap((event) =>
      kind in event ? [asObject(event[kind])] : [],
    );
    if (updates.length === 0) return skip(`the stream has no ${kind}`);
    const lacking = updates.flatMap((update) => needed.filter((name) => !(name in update)));
    return expectThat(
      lacking.length === 0,
      lacking[0] === undefined ? `${updates.length} of them` : `one lacks ${lacking[0]}`,
    );
  });
}

const members = ["task", "message", "statusUpdate", "artifactUpdate"];

/** Requirements on the streams of messages (§3.1.2, §3.2.3). */
export const streamChecks: readonly ConformanceCheck[] = [
  ofStream("stream:established", { versions: every }, ({ arrivals }) =>
    pass(`${arrivals.length} events`),
  ),
  ofStream("stream:one-payload", { bindings: overHttp }, ({ exchange }) => {
    const odd = eventsOf(exchange).filter((event) => payloads(event).length !== 1);
    return expectThat(
      odd.length === 0,
      odd[0] === undefined
        ? "each event has one"
        : `one event has ${payloads(odd[0]).join(", ") || "none"}`,
    );
  }),
  ofStream("stream:task-first", {}, ({ arrivals }) => {
    const [first] = arrivals;
    if (first?.response.message !== undefined) return skip("the agent streamed a message");
    return expectThat(
      first?.response.task !== undefined,
      `the first event is ${kindOf(first?.response)}`,
    );
  }),
  ofStream("stream:message-only", {}, ({ arrivals }) => {
    if (arrivals[0]?.response.message === undefined) return skip("the agent streamed a task");
    return expectThat(arrivals.length === 1, `${arrivals.length} events`);
  }),
  ofStream("stream:update-events", {}, ({ arrivals }) => {
    if (arrivals[0]?.response.task === undefined)
      return skip("the stream does not begin with a task");
    const odd = arrivals
      .slice(1, -1)
      .find(({ response }) => response.task !== undefined || response.message !== undefined);
    return expectThat(
      odd === undefined,
      odd === undefined ? "only updates" : `a ${kindOf(odd.response)} among them`,
    );
  }),
  ofStream("stream:close-at-terminal", { versions: since02 }, (streamed) => {
    if (streamed.isCutShort) {
      return isComplete(streamed)
        ? fail("the stream stays open after the end of the task")
        : skip("the task works for longer than --call-timeout");
    }
    return expectThat(
      isComplete(streamed),
      isComplete(streamed) ? "closed at the end" : "closed before the end of the task",
    );
  }),
  withMembers("stream:status-update-fields", "statusUpdate", ["taskId", "contextId", "status"]),
  withMembers("stream:artifact-update-fields", "artifactUpdate", [
    "taskId",
    "contextId",
    "artifact",
  ]),
  ofStream(
    "jsonrpc:stream-content-type",
    { versions: every, bindings: ["JSONRPC"] },
    ({ exchange }) => {
      const type = exchange?.headers.get("content-type") ?? "none";
      const isRight = exchange?.status === 200 && type.startsWith("text/event-stream");
      return expectThat(isRight, `HTTP ${exchange?.status}, ${type}`);
    },
  ),
  ofStream("jsonrpc:stream-frames", { versions: every, bindings: ["JSONRPC"] }, ({ exchange }) => {
    const { id } = asObject(JSON.parse(exchange?.sentBody ?? "{}"));
    const odd = framesOf(exchange).find(
      (frame) => frame["jsonrpc"] !== "2.0" || frame["id"] !== id,
    );
    return expectThat(
      odd === undefined,
      odd === undefined
        ? "each frame is a response"
        : `one frame is ${JSON.stringify(odd).slice(0, 120)}`,
    );
  }),
  ofStream("rest:stream-frames", { bindings: ["HTTP+JSON"] }, ({ exchange }) => {
    const odd = framesOf(exchange).find((frame) => payloads(frame).length !== 1);
    return expectThat(
      odd === undefined,
      odd === undefined
        ? "each frame is a StreamResponse"
        : `one frame is ${JSON.stringify(odd).slice(0, 120)}`,
    );
  }),
  {
    id: "stream:unknown-task-id",
    versions: since02,
    async run(subject) {
      if (!streams(subject)) return skip(undeclared);
      const request = probeMessage(subject.options.message, { taskId: unknownTaskId() });
      const streamed = await subject.session.stream("sendStreamingMessage", request);
      return expectThat(streamed.error?.code === "TASK_NOT_FOUND", told(streamed));
    },
  },
  {
    id: "stream:terminal-task",
    async run(subject) {
      if (!streams(subject)) return skip(undeclared);
      const task = await subject.ended();
      if (task === undefined) return skip("the agent answered without a task that ends");
      const request = probeMessage(subject.options.message, { taskId: task.id });
      const streamed = await subject.session.stream("sendStreamingMessage", request);
      return expectThat(streamed.error?.code === "UNSUPPORTED_OPERATION", told(streamed));
    },
  },
  {
    id: "stream:capability",
    async run(subject) {
      if (streams(subject)) return skip("the card declares streaming");
      const streamed = await subject.streamed();
      return expectThat(streamed.error?.code === "UNSUPPORTED_OPERATION", told(streamed));
    },
  },
];

function payloads(event: Json): readonly string[] {
  return members.filter((name) => name in event);
}

/** The kind of an event. */
export function kindOf(response: object | undefined): string {
  return Object.keys(response ?? {})[0] ?? "nothing";
}
