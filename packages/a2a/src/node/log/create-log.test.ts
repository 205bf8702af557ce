import { expect, it } from "vitest";
import { createTestClock } from "../../testing/index.js";
import { createLog } from "./create-log.js";
import type { LogOptions } from "./create-log.js";

const trace = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };

function open(options: LogOptions = {}) {
  const clock = createTestClock();
  const lines: string[] = [];
  const log = createLog({ format: "json", ...options, write: (line) => lines.push(line), clock });
  const records = (): Record<string, unknown>[] =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { clock, lines, log, records };
}

it("an error is written ten times a minute for each agent, and then counted", async () => {
  const { clock, log, records } = open();
  for (let time = 0; time < 25; time += 1) log("error", "run.failed", { agent: "Echo" });
  log("error", "run.failed", { agent: "Search" });
  log("warn", "run.warned", { agent: "Echo" });
  expect(records().length).toBe(12);
  await clock.advance(60_000);
  expect(records().slice(12)).toMatchObject([
    { level: "error", event: "log.folded", of: "run.failed", count: 15, agent: "Echo" },
  ]);
  log("error", "run.failed", { agent: "Echo" });
  expect(records().at(-1)).toMatchObject({ event: "run.failed" });
});

it("what is no warning is never folded", () => {
  const { log, lines } = open();
  for (let time = 0; time < 25; time += 1) log("info", "push.postponed");
  expect(lines.length).toBe(25);
});

it.each([
  ["debug", 4],
  ["info", 3],
  ["warn", 2],
  ["error", 1],
  ["silent", 0],
] as const)("the level %s lets %i of four levels through", (level, count) => {
  const { log, lines } = open({ level });
  for (const one of ["debug", "info", "warn", "error"] as const) log(one, "store.notice");
  expect(lines.length).toBe(count);
});

it("people get one line for an event, programs one line of JSON, with the ids of its trace", () => {
  const text = open({ format: "text" });
  text.log("warn", "store.notice", { msg: "slow\nagain", taskId: "t 1", trace });
  expect(text.lines).toEqual([
    `00:00:00.000 WARN  store.notice     slow again taskId="t 1" trace_id=${"a".repeat(32)} span_id=${"b".repeat(16)}`,
  ]);
  const json = open();
  json.log("warn", "store.notice", { taskId: "t 1", requestId: "r1", trace });
  expect(json.records()).toMatchObject([
    {
      level: "warn",
      taskId: "t 1",
      requestId: "r1",
      trace_id: "a".repeat(32),
      span_id: "b".repeat(16),
    },
  ]);
});

it.each([
  ["postgres://user:hunter2@db/tasks", "postgres://…@db/tasks"],
  ["https://a.example/x?token=hunter2 is gone", "https://a.example/x?… is gone"],
  ["Authorization: Bearer hunter2hunter2", "Authorization: Bearer …"],
  ['{"password": "hunter2"}', '{"password": "…"}'],
  ["api_key=hunter2&x=1", "api_key=…&x=1"],
  ["a bell \u0007 and an escape \u001B[31m", "a bell \uFFFD and an escape \uFFFD[31m"],
])("of %j the log keeps %j, in fields and in errors", (given, kept) => {
  const { log, records } = open();
  log("error", "call.failed", { work: given, err: new Error(given, { cause: new Error(given) }) });
  expect(records()).toMatchObject([{ work: kept, err: { message: kept } }]);
  expect(JSON.stringify(records())).not.toContain("hunter2");
});
