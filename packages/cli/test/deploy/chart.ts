import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { Renderer } from "./render-template.js";

const root = new URL("../../../../", import.meta.url);
const chart = "deploy/helm/parley";

/** The path of a file of this repository. */
export function pathInRoot(path: string): string {
  return fileURLToPath(new URL(path, root));
}

/** The text of a file of this repository. */
export function readText(path: string): string {
  return readFileSync(pathInRoot(path), "utf8");
}

/** What the templates of the chart are given, and their texts by their names; what others include comes first. */
export interface ChartSource {
  readonly root: Readonly<Record<string, unknown>>;
  readonly templates: readonly { readonly name: string; readonly text: string }[];
}

/** The chart with its default values, or with others laid over them. */
export function readChart(valuesFile?: string): ChartSource {
  const { name, version, appVersion } = parse(readText(`${chart}/Chart.yaml`)) as Values;
  const root = {
    Values: valuesOf(valuesFile),
    Release: { Name: "parley", Namespace: "default", Service: "Helm" },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  };
  const files = readdirSync(pathInRoot(`${chart}/templates`)).sort(
    (left, right) => Number(right.startsWith("_")) - Number(left.startsWith("_")),
  );
  const templates = files.map((file) => ({
    name: file,
    text: readText(`${chart}/templates/${file}`),
  }));
  return { root, templates };
}

/** The files of the rendered chart by their names, without empty ones. */
export function renderChart(valuesFile?: string): ReadonlyMap<string, string> {
  const { root, templates } = readChart(valuesFile);
  const renderer = new Renderer(root);
  const rendered = templates.map(({ name, text }) => [name, renderer.render(text)] as const);
  return new Map(rendered.filter(([, text]) => text.trim() !== ""));
}

/** The manifests among the files of a rendered chart, in the order of their names. */
export function manifestsIn(files: ReadonlyMap<string, string>): readonly unknown[] {
  return [...files].filter(([file]) => file.endsWith(".yaml")).map(([, text]) => parse(text));
}

type Values = Readonly<Record<string, unknown>>;

/** The values of the chart; Helm merges objects and replaces everything else. */
function valuesOf(file?: string): Values {
  const own = parse(readText(`${chart}/values.yaml`)) as Values;
  return file === undefined ? own : merge(own, parse(readText(`${chart}/${file}`)) as Values);
}

function merge(own: Values, over: Values): Values {
  const merged: Record<string, unknown> = { ...own };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    merged[name] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
