import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { prometheusName } from "../../src/node/metrics/exposition.js";
import { instruments, logEvents } from "../../src/protocol/telemetry/internal.js";
import { findPromtool } from "../support/postgres/find-programs.js";
import { promtool } from "./run-promtool.js";

const pathInRoot = (path: string): string => `${import.meta.dirname}/../../../../${path}`;
const readText = (path: string): string => readFileSync(pathInRoot(path), "utf8");

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const all = Object.values(instruments);
const dashboard = JSON.parse(readText("deploy/grafana/parley.json")) as {
  readonly panels: readonly Panel[];
  readonly templating: object;
};
const rulesPath = "deploy/prometheus/rules.yaml";
const { groups } = parse(readText(rulesPath)) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The samples that an instrument has in Prometheus. */
function samplesOf(instrument: (typeof all)[number]): readonly string[] {
  const name = prometheusName(instrument);
  if (instrument.kind !== "histogram") return [name];
  return ["_bucket", "_sum", "_count"].map((suffix) => name + suffix);
}

const known = new Set(all.flatMap(samplesOf));
const labels = new Set([
  ...all.flatMap(({ attributes }) => attributes.map((one) => one.replaceAll(/[^a-zA-Z\d_]/g, "_"))),
  "instance",
  "le",
]);

/** The names of metrics in an expression: words before a brace, a bracket or an operator that no function takes. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr.replaceAll(/"[^"]*"/g, '""').replaceAll(/\bby \([^)]*\)/g, "");
  return Array.from(
    bare.matchAll(/\b((?:a2a|parley|db|nodejs|v8js|process)_\w+)/g),
    ([, one]) => one ?? "",
  ).filter((one) => !labels.has(one));
}

describe("the dashboard and the alerts", () => {
  it("name only metrics that there are", () => {
    const named = [...shown, ...rules.map(({ expr }) => expr)].flatMap(metricsIn);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it("name only labels that there are", () => {
    const grouped = [...shown, ...rules.map(({ expr }) => expr)].flatMap((expr) =>
      Array.from(expr.matchAll(/\bby \(([^)]*)\)/g), ([, list = ""]) => list.split(", ")).flat(),
    );
    expect(grouped.length).toBeGreaterThan(50);
    expect(grouped.filter((label) => !labels.has(label))).toEqual([]);
  });

  it("show every metric", () => {
    const seen = new Set(shown.flatMap(metricsIn));
    const unseen = all.filter((one) => !samplesOf(one).some((sample) => seen.has(sample)));
    expect(unseen.map(({ name }) => name)).toEqual([]);
  });

  it("have panels of different ids, and paragraphs for all alerts", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const operations = readText("docs/operations.md");
    for (const { alert, annotations } of rules) {
      expect(annotations["runbook_url"]).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(operations).toContain(`### ${alert}\n`);
    }
  });

  const { isThere, name } = findPromtool();
  it.skipIf(!isThere)(`are rules that Prometheus takes ${name}`, async () => {
    const { code, said } = await promtool(["check", "rules", pathInRoot(rulesPath)]);
    expect(said).toContain(`${rules.length} rules found`);
    expect(code).toBe(0);
  });
});

describe("docs/observability.md", () => {
  const page = readText("docs/observability.md");

  it("lists every metric with its kind, unit and attributes", () => {
    for (const instrument of all) {
      const attributes = instrument.attributes.map((one) => `\`${one}\``).join(", ") || "–";
      const cells = [`\`${instrument.name}\``, instrument.kind, instrument.unit, attributes];
      const line = page.split("\n").find((one) => one.startsWith(`| \`${instrument.name}\` `));
      expect(
        line
          ?.split("|")
          .map((cell) => cell.trim())
          .slice(1, 5),
        instrument.name,
      ).toEqual(cells);
    }
  });

  it("lists every event of the log, and no other", () => {
    const listed = Array.from(page.matchAll(/^\| `(\w+\.\w+)` +\| [A-Z]/gm), ([, event]) => event);
    expect(listed).toEqual(Object.keys(logEvents));
  });
});
