import { readdirSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runCli } from "../../src/run-cli.js";
import { manifestsIn, pathInRoot, readText, renderChart } from "./chart.js";
import { problemsOf } from "./manifest-rules.js";
import { Renderer } from "./render-template.js";

const all = "ci/all-values.yaml";
const own = "ci/own-values.yaml";
const inPlain = ["deployment", "migration-job", "poddisruptionbudget", "service"];
const optional = ["horizontalpodautoscaler", "networkpolicy"];

// After a deliberate change of the chart: UPDATE_DEPLOY=1 npx vitest run packages/cli/test/deploy
if (process.env["UPDATE_DEPLOY"] === "1") await writePlain();

async function writePlain(): Promise<void> {
  const plain = inPlain.map((name) => ["", name, renderChart()] as const);
  const more = optional.map((name) => ["optional/", name, renderChart(all)] as const);
  for (const [folder, name, files] of [...plain, ...more]) {
    const text = await format(files.get(`${name}.yaml`) ?? "", { parser: "yaml" });
    writeFileSync(pathInRoot(`deploy/kubernetes/${folder}${name}.yaml`), text);
  }
}

describe.each([
  ["its default values", undefined],
  ["everything on", all],
  ["a program of one's own", own],
])("the chart with %s", (_, values) => {
  it("makes manifests that Kubernetes takes and that fit together", () => {
    expect(problemsOf(manifestsIn(renderChart(values)))).toEqual([]);
  });
});

it.each([undefined, all])(
  "the chart with %s starts the server with options that it has",
  async (values) => {
    let usage = "";
    const stdout = { write: (text: string) => (usage += text) };
    await runCli(["help", "serve"], { stdout, stderr: stdout });
    const options = argsIn(renderChart(values)).filter((one) => one.startsWith("--"));
    expect(options.length).toBeGreaterThan(3);
    expect(options.filter((one) => !new RegExp(`^ +${one} `, "m").test(usage))).toEqual([]);
  },
);

it("the chart starts a program of one's own as its image says, or with the arguments that it is given", () => {
  expect(argsIn(renderChart(own))).toEqual(["--verbose"]);
});

function argsIn(files: ReadonlyMap<string, string>): readonly string[] {
  const { spec } = parse(files.get("deployment.yaml") ?? "") as Deployment;
  return spec.template.spec.containers.flatMap(({ args = [] }) => args);
}

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: { readonly args?: string[] }[] } };
  };
}

describe("plain manifests", () => {
  it.each([
    ...inPlain.map((name) => [`${name}.yaml`, undefined] as const),
    ...optional.map((name) => [`optional/${name}.yaml`, all] as const),
  ])("%s is what the chart makes", (file, values) => {
    const rendered = renderChart(values).get(file.replace("optional/", ""));
    expect(parse(readText(`deploy/kubernetes/${file}`))).toEqual(parse(rendered ?? ""));
  });

  it("are all there, and no others", () => {
    const files = readdirSync(pathInRoot("deploy/kubernetes"), { recursive: true });
    const expected = [...inPlain, ...optional.map((name) => `optional/${name}`)];
    expect(
      files
        .map(String)
        .filter((one) => one.endsWith(".yaml"))
        .sort(),
    ).toEqual(expected.map((name) => `${name}.yaml`).sort());
  });
});

/** Manifests with one text replaced, in all or in one file. */
function spoiled(file: string, before: string, after: string): readonly unknown[] {
  const files = new Map(renderChart());
  const text = files.get(file) ?? "";
  expect(text).toContain(before);
  return manifestsIn(files.set(file, text.replace(before, after)));
}

it.each([
  [
    "deployment.yaml",
    "apiVersion: apps/v1",
    "apiVersion: apps/v1beta1",
    "apps/v1beta1 has no Deployment",
  ],
  [
    "deployment.yaml",
    "topologySpreadConstraints:",
    "topologySpreads:",
    "Deployment.spec.template.spec.topologySpreads is unknown",
  ],
  [
    "deployment.yaml",
    'value: "5000"',
    "value: 5000",
    "Deployment.spec.template.spec.containers[0].env[5].value is 5000",
  ],
  [
    "deployment.yaml",
    "cpu: 250m",
    "cpu: 250 m",
    'Deployment.spec.template.spec.containers[0].resources.requests.cpu is "250 m"',
  ],
  ["deployment.yaml", "name: grpc", "name: grpcs", "no pod has the port grpc"],
  ["deployment.yaml", "port: http", "port: web", "no pod has the port web"],
  ["deployment.yaml", "name: tmp", "name: temp", "parley mounts temp, which there is not"],
  ["deployment.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "a pod may run as root"],
  [
    "deployment.yaml",
    "readOnlyRootFilesystem: true",
    "readOnlyRootFilesystem: false",
    "parley may change its image",
  ],
  [
    "deployment.yaml",
    "allowPrivilegeEscalation: false",
    "allowPrivilegeEscalation: true",
    "parley may become root",
  ],
  ["deployment.yaml", "drop: [ALL]", "drop: [CHOWN]", "parley keeps capabilities"],
  [
    "deployment.yaml",
    "terminationGracePeriodSeconds: 25",
    "terminationGracePeriodSeconds: 15",
    "parley is killed before it has stopped",
  ],
  ["deployment.yaml", 'value: "5000"', 'value: "1000"', "parley stops before a probe has seen it"],
  [
    "deployment.yaml",
    "failureThreshold: 75",
    "failureThreshold: 30",
    "parley is killed while it migrates its database",
  ],
  ["deployment.yaml", "path: /readyz", "path: /healthz", "parley is not asked whether it is ready"],
  ["deployment.yaml", "replicas: 3", "replicas: 2", "no machine can ever be emptied"],
  [
    "service.yaml",
    "app.kubernetes.io/name: parley\n    app.kubernetes.io/instance: parley\n  ports",
    "app: parley\n  ports",
    "Service does not select the pods that serve",
  ],
  [
    "migration-job.yaml",
    "app.kubernetes.io/name: parley-migrate",
    "app.kubernetes.io/name: parley",
    "Deployment selects pods that do not serve",
  ],
  [
    "migration-job.yaml",
    "limits:\n              memory: 512Mi",
    "limits: {}",
    "migrate has no limit of memory",
  ],
  [
    "poddisruptionbudget.yaml",
    "kind: PodDisruptionBudget",
    "kind: PodDisruption",
    "policy/v1 has no PodDisruption",
  ],
])("%s with %j as %j is found: %s", (file, before, after, problem) => {
  expect(problemsOf(spoiled(file, before, after))).toContain(problem);
});

it("two manifests of one name are found", () => {
  const manifests = manifestsIn(renderChart());
  expect(problemsOf([...manifests, ...manifests.slice(0, 1)])).toContain(
    "there are two of Deployment parley",
  );
});

describe("the renderer of templates", () => {
  const render = (template: string, values: object = {}): string =>
    new Renderer({ Values: values }).render(template);

  it.each([
    ["a {{ .Values.n }}", { n: 3 }, "a 3"],
    ["a\n  {{- if .Values.on }}\n  b\n  {{- else }}\n  c\n  {{- end }}\nd", { on: 0 }, "a\n  c\nd"],
    ["{{ with .Values.o }}{{ .p }}{{ end }}", { o: { p: "q" } }, "q"],
    ["{{ with .Values.o }}x{{ end }}", { o: {} }, ""],
    ['{{ range list "a" "b" }}{{ . }}{{ $.Values.n }}{{ end }}', { n: 1 }, "a1b1"],
    ['{{ define "t" }}<{{ .n }}>{{ end }}{{ include "t" .Values | quote }}', { n: 1 }, '"<1>"'],
    [
      "x:{{ toYaml .Values | nindent 2 }}",
      { a: [1, { b: "2" }] },
      'x:\n  a:\n    - 1\n    - b: "2"',
    ],
    ["{{ add .Values.a 2 3 }} {{ mul .Values.a 1000 | quote }}", { a: 5 }, '10 "5000"'],
    ['{{ .Values.tag | default "v1" }}{{ not .Values.tag }}', { tag: "" }, "v1true"],
    ['{{ .Values.a | default (quote "b") }}', { a: "" }, '"b"'],
    ["a {{- /* */ -}} b", {}, undefined],
    ["{{ .Values.missing }}", {}, undefined],
    ["{{ if .Values.a }}", { a: 1 }, undefined],
    ["{{ end }}", {}, undefined],
    ["{{ tpl .Values.a }}", { a: 1 }, undefined],
  ])("makes of %j with %j: %j", (template, values, expected) => {
    if (expected === undefined) expect(() => render(template, values)).toThrow();
    else expect(render(template, values)).toBe(expected);
  });
});
