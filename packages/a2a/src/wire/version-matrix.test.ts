import { describe, expect, it } from "vitest";
import { verifies } from "../../test/spec/verifies.js";
import type { A2AError } from "../protocol/internal.js";
import { detectGrpc } from "./detect/detect-grpc.js";
import { detectJsonRpc } from "./detect/detect-json-rpc.js";
import { detectRest } from "./detect/detect-rest.js";

type Version = string | undefined;
type Outcome = { dialect?: string; version?: string } | { error: A2AError; dialect?: string };

const jsonRpc = (method: string) => (version: Version, strict: boolean) =>
  detectJsonRpc({ method, params: { id: "t1" }, version, strict });

const rest = (path: string) => (version: Version, strict: boolean) =>
  detectRest({
    httpMethod: "GET",
    path,
    query: new URLSearchParams(),
    version,
    body: undefined,
    strict,
  });

const grpc = (service: string) => (version: Version, strict: boolean) =>
  detectGrpc({ path: `/${service}/GetTask`, version, strict });

/** What a request is answered in, or the error it gets and in whose spelling. */
function describeOutcome(outcome: Outcome): string {
  if (!("error" in outcome)) return outcome.dialect ?? outcome.version ?? "";
  const short = { VERSION_NOT_SUPPORTED: "version!", METHOD_NOT_FOUND: "method!" };
  const code = short[outcome.error.code as keyof typeof short] ?? outcome.error.code;
  return outcome.dialect === undefined ? code : `${code} ${outcome.dialect}`;
}

const columns = {
  Pascal: jsonRpc("GetTask"),
  slash: jsonRpc("message/send"),
  shared: jsonRpc("tasks/get"),
  "/tasks": rest("/tasks/t1"),
  "/v1/tasks": rest("/v1/tasks/t1"),
  "lf.a2a.v1": grpc("lf.a2a.v1.A2AService"),
  "a2a.v1": grpc("a2a.v1.A2AService"),
};

const names = Object.keys(columns);

const v0 = "version! 0.3";
const vP = "version! 0.3-proto";
const v1 = "version! 1.0";
const m1 = "method! 1.0";
const v = "version!";

const lenient: [Version, string[]][] = [
  [undefined, ["1.0", "0.3", "0.3", "1.0", "0.3-proto", "1.0", "0.3"]],
  ["", ["1.0", "0.3", "0.3", "1.0", "0.3-proto", "1.0", "0.3"]],
  ["0.3", [m1, "0.3", "0.3", v1, "0.3-proto", v, "0.3"]],
  ["1.0", ["1.0", m1, m1, "1.0", v1, "1.0", v]],
  ["1.0.1", ["1.0", m1, m1, "1.0", v1, "1.0", v]],
  ["1.1", [v1, v1, v1, v1, v1, v, v]],
  ["0.5", [v1, v0, v0, v1, vP, v, v]],
  ["99.0", [v1, v1, v1, v1, v1, v, v]],
  ["garbage", [v1, v0, v0, v1, vP, v, v]],
];

const strictlyAbsent = [v1, "0.3", "0.3", v1, "0.3-proto", v, "0.3"];

const strict = lenient.map(([version, row]): [Version, string[]] =>
  version ? [version, row] : [version, strictlyAbsent],
);

describe.each([
  ["leniently", false, lenient],
  ["strictly", true, strict],
])(`%s, over ${names.join(", ")},`, (_, strict, table) => {
  it.each(table)("version %j gives %j", (version, row) => {
    verifies("version:requested-semantics", "version:unsupported", "version:absent");
    const outcomes = Object.values(columns).map((detect) =>
      describeOutcome(detect(version, strict)),
    );
    expect(outcomes).toEqual(row);
  });
});
