import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { manifestsIn, pathInRoot, readChart, renderChart } from "./chart.js";

const hasGo = spawnSync("go", ["version"]).status === 0;

// Helm itself is no package of npm or Debian. Its templates are those of Go, so where Go is installed they are rendered by it.
it.skipIf(!hasGo).each([undefined, "ci/all-values.yaml", "ci/own-values.yaml"])(
  "the template engine of Go makes the same manifests of the chart, with %s",
  (values) => {
    const { status, stdout, stderr } = spawnSync("go", ["run", "render.go"], {
      cwd: pathInRoot("packages/cli/test/deploy"),
      input: JSON.stringify(readChart(values)),
      encoding: "utf8",
      env: { ...process.env, GO111MODULE: "off", GOTOOLCHAIN: "local" },
    });
    expect(status, stderr).toBe(0);
    const files = Object.entries(JSON.parse(stdout) as Record<string, string>);
    const written = files.filter(([, text]) => text.trim() !== "").sort(byName);
    const rendered = [...renderChart(values)].sort(byName);
    expect(written.map(([name]) => name)).toEqual(rendered.map(([name]) => name));
    expect(manifestsIn(new Map(written))).toEqual(manifestsIn(new Map(rendered)));
  },
);

function byName([left]: readonly [string, string], [right]: readonly [string, string]): number {
  return left < right ? -1 : 1;
}
