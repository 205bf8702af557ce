import { expectThat, fail, overHttp, skip } from "../check.js";
import type { ConformanceCheck } from "../check.js";
import type { Subject } from "../subject.js";
import { asObject, payloadOf } from "../wire-json.js";
import type { Json } from "../wire-json.js";

/** Requirements on the JSON of 1.0 (§5.5 to §5.7). */
export const jsonChecks: readonly ConformanceCheck[] = [
  {
    id: "json:camel-case",
    bindings: overHttp,
    async run(subject) {
      const names = namesIn(await taskJson(subject));
      const odd = names.find((name) => name.includes("_"));
      return expectThat(odd === undefined, odd === undefined ? `${names.length} names` : odd);
    },
  },
  {
    id: "json:enum-names",
    bindings: overHttp,
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
    bindings: overHttp,
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
    bindings: overHttp,
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
