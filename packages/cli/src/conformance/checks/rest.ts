import { unknownTaskId } from "../../probe/probe-message.js";
import type { OutgoingRequest } from "../../probe/tap.js";
import { expectThat, fail, pass, skip } from "../check.js";
import type { ConformanceCheck, Observation } from "../check.js";
import { told, unknownRead } from "../subject.js";
import type { Subject } from "../subject.js";
import { asList, errorOf, payloadOf } from "../wire-json.js";
import { hasErrorInfo, ofError } from "./of-error.js";

const rest: readonly string[] = ["HTTP+JSON"];

/** A check that a path is one of REST: it is answered with an error of A2A, not with that of an unknown path. */
async function isPath(
  { session }: Subject,
  request: { readonly method: string; readonly path: string },
): Promise<Observation> {
  const alter = (sent: OutgoingRequest): OutgoingRequest => ({
    ...sent,
    method: request.method,
    url: `${session.declared.url.replace(/\/+$/, "")}${request.path}`,
    body: undefined,
  });
  const { exchange, ...outcome } = await session.call(
    "getTask",
    { id: unknownTaskId() },
    { alter },
  );
  const isKnown = errorOf(exchange) !== undefined && hasErrorInfo(errorOf(exchange)?.["details"]);
  return isKnown
    ? pass(`${request.method} is known`)
    : fail(`${request.method}: HTTP ${exchange?.status}, ${told(outcome)}`);
}

/** Requirements on REST (§11). */
export const restChecks: readonly ConformanceCheck[] = [
  {
    id: "rest:content-type",
    bindings: rest,
    async run(subject) {
      const { exchange } = await subject.sent();
      const type = exchange?.headers.get("content-type") ?? "none";
      return expectThat(type.startsWith("application/a2a+json"), type);
    },
  },
  {
    id: "rest:subscribe",
    bindings: rest,
    async run(subject) {
      if (subject.card.capabilities.streaming !== true)
        return skip("the card declares no streaming");
      const path = `/tasks/${unknownTaskId()}:subscribe`;
      const post = await isPath(subject, { method: "POST", path });
      return post.status === "pass" ? isPath(subject, { method: "GET", path }) : post;
    },
  },
  {
    id: "rest:list",
    bindings: rest,
    async run({ session }) {
      const { exchange, ...outcome } = await session.call("listTasks", { pageSize: 1 });
      const isList = exchange?.status === 200 && Array.isArray(payloadOf(exchange)["tasks"]);
      return expectThat(isList, isList ? "GET /tasks is known" : told(outcome));
    },
  },
  ofError("rest:error-body", { bindings: rest }, (error) => {
    const lacking = ["code", "status", "message", "details"].filter((name) => !(name in error));
    return expectThat(
      lacking.length === 0,
      lacking.length === 0 ? "all are there" : `it lacks ${lacking.join(", ")}`,
    );
  }),
  ofError("rest:error-code", { bindings: rest }, ({ code }, { exchange }) =>
    expectThat(
      code === exchange?.status,
      `error.code ${JSON.stringify(code)}, HTTP ${exchange?.status}`,
    ),
  ),
  {
    id: "rest:error-status",
    bindings: rest,
    async run(subject) {
      const { exchange } = await unknownRead(subject);
      return expectThat(
        exchange?.status === 404,
        `HTTP ${exchange?.status} for a task that does not exist`,
      );
    },
  },
  ofError("rest:detail-type", { bindings: rest }, ({ details }) => {
    const odd = asList(details).find((one) => typeof one["@type"] !== "string");
    return expectThat(
      odd === undefined,
      odd === undefined ? "each has one" : JSON.stringify(odd).slice(0, 120),
    );
  }),
  ofError("rest:error-info", { bindings: rest }, ({ details }) =>
    expectThat(hasErrorInfo(details), JSON.stringify(details ?? null).slice(0, 120)),
  ),
];
