import { unknownTaskId } from "../../probe/probe-message.js";
import type { Outcome } from "../../probe/session.js";
import type { OutgoingRequest } from "../../probe/tap.js";
import { every, expectThat, fail, pass, skip } from "../check.js";
import type { ConformanceCheck, Observation } from "../check.js";
import { alterParams, told, unknownRead } from "../subject.js";
import type { Subject } from "../subject.js";
import { asList, asObject, errorOf, jsonOf, payloadOf, without } from "../wire-json.js";
import type { Json } from "../wire-json.js";

const jsonRpc: readonly string[] = ["JSONRPC"];
const rest: readonly string[] = ["HTTP+JSON"];

/** A check that a request which is spoiled on its way is answered with a code of JSON-RPC. */
function answeredWith(
  id: ConformanceCheck["id"],
  code: number,
  alter: (request: OutgoingRequest) => OutgoingRequest,
): ConformanceCheck {
  return {
    id,
    versions: every,
    bindings: jsonRpc,
    async run({ session }) {
      const { exchange, ...outcome } = await session.call(
        "getTask",
        { id: unknownTaskId() },
        { alter },
      );
      const found = errorOf(exchange)?.["code"];
      return expectThat(
        found === code,
        found === undefined ? told(outcome) : `code ${JSON.stringify(found)}`,
      );
    },
  };
}

function withBody(change: (body: Json) => Json): (request: OutgoingRequest) => OutgoingRequest {
  return (request) => ({
    ...request,
    body: JSON.stringify(change(asObject(JSON.parse(request.body ?? "{}")))),
  });
}

/** A check of the error for a task that does not exist. */
function ofError(
  id: ConformanceCheck["id"],
  more: Omit<ConformanceCheck, "id" | "run">,
  judge: (error: Json, outcome: Outcome<unknown>) => Observation,
): ConformanceCheck {
  return {
    id,
    ...more,
    async run(subject) {
      const outcome = await unknownRead(subject);
      const error = errorOf(outcome.exchange);
      return error === undefined
        ? fail(`there is no error object: ${told(outcome)}`)
        : judge(error, outcome);
    },
  };
}

const errorInfo = "type.googleapis.com/google.rpc.ErrorInfo";

function hasErrorInfo(details: unknown): boolean {
  return asList(details).some(
    (one) =>
      one["@type"] === errorInfo &&
      one["reason"] === "TASK_NOT_FOUND" &&
      one["domain"] === "a2a-protocol.org",
  );
}

/** Requirements on JSON-RPC (§9). */
export const jsonRpcChecks: readonly ConformanceCheck[] = [
  {
    id: "jsonrpc:content-type",
    versions: every,
    bindings: jsonRpc,
    async run(subject) {
      const { exchange } = await unknownRead(subject);
      const type = exchange?.headers.get("content-type") ?? "none";
      return expectThat(type.startsWith("application/json"), type);
    },
  },
  {
    id: "jsonrpc:response-id",
    versions: every,
    bindings: jsonRpc,
    async run(subject) {
      const alter = withBody((body) => ({ ...body, id: "an id of the check" }));
      const { exchange } = await subject.session.call(
        "getTask",
        { id: unknownTaskId() },
        { alter },
      );
      const { id } = asObject(jsonOf(exchange));
      return expectThat(id === "an id of the check", `it is ${JSON.stringify(id)}`);
    },
  },
  answeredWith("jsonrpc:parse-error", -32_700, (request) => ({ ...request, body: '{"jsonrpc": ' })),
  answeredWith("jsonrpc:invalid-request", -32_600, (request) => ({
    ...request,
    body: '{"id": 1}',
  })),
  answeredWith(
    "jsonrpc:method-not-found",
    -32_601,
    withBody((body) => ({ ...body, method: "NobodyHasThisMethod" })),
  ),
  answeredWith(
    "jsonrpc:invalid-params",
    -32_602,
    alterParams((params) => without(params, "id")),
  ),
  ofError("jsonrpc:error-object", { versions: every, bindings: jsonRpc }, ({ code, message }) =>
    expectThat(
      Number.isInteger(code) && typeof message === "string",
      `code ${JSON.stringify(code)}`,
    ),
  ),
  ofError("jsonrpc:error-codes", { versions: every, bindings: jsonRpc }, ({ code }) =>
    expectThat(code === -32_001, `code ${JSON.stringify(code)} for a task that does not exist`),
  ),
  ofError("jsonrpc:error-data", { bindings: jsonRpc }, ({ data }) => {
    if (data === undefined) return skip("the error has no data");
    const isRight =
      Array.isArray(data) && asList(data).every((one) => typeof one["@type"] === "string");
    return expectThat(isRight, JSON.stringify(data).slice(0, 120));
  }),
  ofError("jsonrpc:error-info", { bindings: jsonRpc }, ({ data }) =>
    expectThat(hasErrorInfo(data), JSON.stringify(data ?? null).slice(0, 120)),
  ),
];

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

/** Requirements on gRPC (§10), as far as a client of it sees them. */
export const grpcChecks: readonly ConformanceCheck[] = [
  {
    id: "grpc:service",
    versions: ["0.3", "1.0"],
    bindings: ["GRPC"],
    async run(subject) {
      const outcome = await unknownRead(subject);
      const isServed = !["METHOD_NOT_FOUND", "UNAVAILABLE"].includes(outcome.error?.code ?? "");
      return expectThat(isServed, told(outcome));
    },
  },
  {
    id: "grpc:server-streaming",
    versions: ["0.3", "1.0"],
    bindings: ["GRPC"],
    async run(subject) {
      if (subject.card.capabilities.streaming !== true)
        return skip("the card declares no streaming");
      const streamed = await subject.streamed();
      return expectThat(streamed.arrivals.length > 0, `${streamed.arrivals.length} events`);
    },
  },
];

const snake = /_/;

/** Requirements on the JSON of 1.0 (§5.5 to §5.7). */
export const jsonChecks: readonly ConformanceCheck[] = [
  {
    id: "json:camel-case",
    bindings: [...jsonRpc, ...rest],
    async run(subject) {
      const names = namesIn(await taskJson(subject));
      const odd = names.find((name) => snake.test(name));
      return expectThat(odd === undefined, odd === undefined ? `${names.length} names` : odd);
    },
  },
  {
    id: "json:enum-names",
    bindings: [...jsonRpc, ...rest],
    async run(subject) {
      const { status, role } = await taskJson(subject);
      const state = asObject(status)["state"];
      if (state === undefined)
        return expectThat(role === "ROLE_AGENT", `role ${JSON.stringify(role)}`);
      return expectThat(
        typeof state === "string" && /^TASK_STATE_[A-Z_]+$/.test(state),
        `state ${JSON.stringify(state)}`,
      );
    },
  },
  {
    id: "json:timestamp-format",
    bindings: [...jsonRpc, ...rest],
    async run(subject) {
      const time = asObject((await taskJson(subject))["status"])["timestamp"];
      if (typeof time !== "string") {
        return time === undefined ? skip("there is no timestamp") : fail(JSON.stringify(time));
      }
      return expectThat(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(time), time);
    },
  },
  {
    id: "json:no-kind",
    bindings: [...jsonRpc, ...rest],
    async run(subject) {
      const has = namesIn(await taskJson(subject)).includes("kind");
      return expectThat(!has, has ? "there is a member kind" : "there is none");
    },
  },
];

/** The task or message of an answer, as it is on the wire. */
async function taskJson(subject: Subject): Promise<Json> {
  const { task, message } = payloadOf((await subject.sent()).exchange);
  return asObject(task ?? message);
}

/** The names of members, without those in data that is the author's own. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return Object.entries(asObject(value)).flatMap(([name, inner]) =>
    name === "metadata" || name === "data" ? [name] : [name, ...namesIn(inner)],
  );
}
