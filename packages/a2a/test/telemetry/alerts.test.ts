import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openFolder } from "../support/files/open-folder.js";
import type { Folder } from "../support/files/open-folder.js";
import { findPromtool } from "../support/postgres/find-programs.js";
import { promtool } from "./run-promtool.js";

const rulesPath = new URL("../../../../deploy/prometheus/rules.yaml", import.meta.url).pathname;
const { groups } = parse(readFileSync(rulesPath, "utf8")) as {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
};

/** Samples by their names, every minute for twenty, in promtool's notation: `1+2x20` begins with 1 and grows by 2. */
type Samples = Readonly<Record<string, string>>;

const agent = 'gen_ai_agent_name="Echo"';
const still = (value: number | string): string => `${value}x20`;
const rising = (by: number): string => `0+${by}x20`;

/** A histogram of which every value is up to this bound, of which Prometheus knows those below and above, too. */
function histogram(name: string, labels: string, bound: string): Samples {
  const bounds = ["0.01", "0.25", "0.5", "1", "2.5", "300", "+Inf"];
  const from = bounds.indexOf(bound);
  return Object.fromEntries(
    bounds.map((le, index) => [
      `${name}_bucket{${labels},le="${le}"}`,
      rising(index < from ? 0 : 10),
    ]),
  );
}

const requests = (code: string): string =>
  `a2a_server_requests_total{a2a_method_name="SendMessage"${code && `,error_type="${code}"`}}`;

/** What a node counts that does its work. */
const healthy: Samples = {
  parley_ready: still(1),
  [`parley_lease_remaining_seconds{${agent}}`]: still(9),
  [`parley_lease_span_seconds{${agent}}`]: still(11.25),
  [`parley_lease_fenced_total{${agent}}`]: still(0),
  [`parley_lease_takeovers_total{${agent}}`]: still(2),
  [`parley_run_active{${agent}}`]: still(5),
  [`parley_run_limit{${agent}}`]: still(100),
  [`parley_run_queued{${agent}}`]: still(0),
  [`parley_task_abandoned{${agent}}`]: still(0),
  [`parley_task_orphaned{${agent}}`]: still(0),
  ...histogram("parley_append_duration_seconds", 'parley_store="sqlite"', "0.01"),
  ...histogram("parley_wakeup_delay_seconds", 'parley_bus="file"', "0.01"),
  ...histogram("parley_push_delay_seconds", agent, "1"),
  [`parley_bus_lost_total{${agent},parley_bus="file"}`]: still(1),
  'parley_poll_found_total{parley_bus="file"}': still(3),
  'parley_event_appended_total{parley_store="sqlite"}': rising(100),
  [`parley_push_attempts_total{${agent},parley_outcome="arrived"}`]: rising(5),
  [`parley_push_attempts_total{${agent},parley_outcome="buried"}`]: still(4),
  [requests("")]: rising(1000),
  [requests("TASK_NOT_FOUND")]: rising(100),
  [requests("INTERNAL")]: rising(1),
  [`parley_clock_offset_seconds{${agent}}`]: still(0.2),
  nodejs_eventloop_delay_p99_seconds: still(0.02),
};

/** What is different where something is wrong, by the alert that says so. */
const wrong: Readonly<Record<string, readonly Samples[]>> = {
  ParleyNoLease: [{ [`parley_lease_remaining_seconds{${agent}}`]: still(2) }],
  ParleyFenced: [{ [`parley_lease_fenced_total{${agent}}`]: rising(1) }],
  ParleyTakeoverStorm: [{ [`parley_lease_takeovers_total{${agent}}`]: rising(5) }],
  ParleyStuckTasks: [
    { [`parley_task_abandoned{${agent}}`]: still(1) },
    { [`parley_task_orphaned{${agent}}`]: still(1) },
  ],
  ParleyStoreSlow: [histogram("parley_append_duration_seconds", 'parley_store="sqlite"', "0.5")],
  ParleyWakeupLate: [
    histogram("parley_wakeup_delay_seconds", 'parley_bus="file"', "2.5"),
    { [`parley_bus_lost_total{${agent},parley_bus="file"}`]: rising(1) },
    { 'parley_poll_found_total{parley_bus="file"}': rising(2) },
  ],
  ParleyRunsFull: [
    { [`parley_run_active{${agent}}`]: still(95) },
    { [`parley_run_queued{${agent}}`]: still(1) },
  ],
  ParleyPushDead: [{ [`parley_push_attempts_total{${agent},parley_outcome="buried"}`]: rising(1) }],
  ParleyPushLate: [histogram("parley_push_delay_seconds", agent, "+Inf")],
  ParleyErrorBudget: [
    { [requests("INTERNAL")]: rising(20) },
    { [requests("UNAVAILABLE")]: rising(20) },
  ],
  ParleyClockSkew: [
    { [`parley_clock_offset_seconds{${agent}}`]: still(1.5) },
    { [`parley_clock_offset_seconds{${agent}}`]: still("-1.5") },
  ],
  ParleyLoopBlocked: [{ nodejs_eventloop_delay_p99_seconds: still(0.2) }],
  ParleyNotReady: [{ parley_ready: still(0) }],
};

/** A test of promtool: after twenty minutes of these samples, these alerts and no others fire. */
function expecting(name: string, samples: Samples, alerts: readonly string[]) {
  return {
    name,
    interval: "1m",
    input_series: Object.entries(samples).map(([series, values]) => ({
      series: series.includes("{")
        ? series.replace("{", '{instance="a",')
        : `${series}{instance="a"}`,
      values,
    })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: "20m",
        exp_samples: alerts.map((alertname) => ({
          labels: `{alertname="${alertname}"}`,
          value: 1,
        })),
      },
    ],
  };
}

it("every alert is tried", () => {
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(Object.keys(wrong).toSorted()).toEqual(alerts.toSorted());
});

const { isThere, name } = findPromtool();

describe.skipIf(!isThere)(name, () => {
  let folder: Folder;
  beforeAll(async () => {
    folder = await openFolder();
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  const check = async (tests: readonly object[]) => {
    const path = folder.file("alerts.yaml");
    const file = { rule_files: [rulesPath], evaluation_interval: "1m", tests };
    await writeFile(path, JSON.stringify(file));
    return promtool(["test", "rules", path]);
  };

  it("each alert fires where its reason is there, and no other does; a healthy node fires none", async () => {
    const tests = Object.entries(wrong).flatMap(([alert, reasons]) =>
      reasons.map((reason, index) =>
        expecting(`${alert} ${index + 1}`, { ...healthy, ...reason }, [alert]),
      ),
    );
    const { code, said } = await check([expecting("healthy", healthy, []), ...tests]);
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("SUCCESS") });
  });

  it("promtool tells when an alert does not fire", async () => {
    const { code } = await check([expecting("healthy", healthy, ["ParleyNotReady"])]);
    expect(code).not.toBe(0);
  });
});
