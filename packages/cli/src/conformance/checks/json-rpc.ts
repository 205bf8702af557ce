import { unknownTaskId } from "../../probe/probe-message.js";
import type { OutgoingRequest } from "../../probe/tap.js";
import { every, expectThat, skip } from "../check.js";
import type { ConformanceCheck } from "../check.js";
import { alterParams, told, unknownRead } from "../subject.js";
import { asList, asObject, errorOf, jsonOf, without } from "../wire-json.js";
import type { Json } from "../wire-json.js";
import { hasErrorInfo, ofError } from "./of-error.js";

const jsonRpc: readonly string[] = ["JSONRPC"];

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
