import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findPromtool } from "../../../a2a/test/support/postgres/find-programs.js";
import { pathInRoot, readText } from "./chart.js";

interface Service {
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
}

const { services } = parse(readText("deploy/compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const observers = Object.entries(services).filter(([, { profiles }]) =>
  profiles?.includes("observe"),
);

/** The file of this repository that a service of compose.yaml finds at a path; `undefined` for none. */
function mountedAt(service: string, path: string): string | undefined {
  const volumes = services[service]?.volumes ?? [];
  const [source] = volumes.map((one) => one.split(":")).find(([, at]) => at === path) ?? [];
  return source?.startsWith("./") === true ? `deploy/${source.slice(2)}` : undefined;
}

/** The port at which a service listens, as a host of this machine reaches it. */
function publishedPort(service: string): string | undefined {
  return services[service]?.ports?.[0]?.split(":").at(-1);
}

function configOf(
  service: string,
  option: string,
): { readonly path: string; readonly text: string } {
  const [given] = services[service]?.command?.filter((one) => one.startsWith(option)) ?? [];
  const path = mountedAt(service, given?.slice(option.length) ?? "");
  if (path === undefined) throw new Error(`${service} has no file for ${option}`);
  return { path, text: readText(path) };
}

it("the profile observe of compose.yaml starts Prometheus, Grafana and a collector", () => {
  expect(observers.map(([name]) => name)).toEqual(["prometheus", "grafana", "collector"]);
});

describe("Prometheus", () => {
  const { text } = configOf("prometheus", "--config.file=");
  const config = parse(text) as {
    readonly rule_files: readonly string[];
    readonly scrape_configs: readonly {
      readonly static_configs: readonly { readonly targets: readonly string[] }[];
    }[];
  };

  it("reads the metrics of every node, at the port and on the address where nodes serve them", () => {
    const targets = config.scrape_configs.flatMap((job) =>
      job.static_configs.flatMap((one) => one.targets),
    );
    const nodes = Object.keys(services).filter((name) => name.startsWith("node-"));
    expect(targets).toEqual(nodes.map((name) => `${name}:9464`));
    for (const name of nodes) {
      const { command = [] } = services[name] ?? {};
      // The loopback address, which is the default, would be that of the container.
      expect(command[command.indexOf("--metrics-host") + 1]).toBe("0.0.0.0");
      expect(command).not.toContain("--metrics-port");
    }
  });

  it("finds the alerts", () => {
    const files = config.rule_files.map((path) => mountedAt("prometheus", path));
    expect(files).toEqual(["deploy/prometheus/rules.yaml"]);
  });

  const { isThere, name, path: promtool } = findPromtool();
  it.skipIf(!isThere)(`takes its configuration, with the alerts in it ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-prometheus-"));
    try {
      // As the container has it, but for the paths of the files.
      const here = config.rule_files.reduce(
        (moved, path) => moved.replaceAll(path, pathInRoot(mountedAt("prometheus", path) ?? path)),
        text,
      );
      writeFileSync(join(folder, "prometheus.yaml"), here);
      const args = ["check", "config", join(folder, "prometheus.yaml")];
      const said = execFileSync(promtool, args, { encoding: "utf8" });
      expect(said).toMatch(/SUCCESS: .*prometheus\.yaml/);
      expect(said).toMatch(/SUCCESS: \d+ rules found/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("Grafana", () => {
  const provisioned = "/etc/grafana/provisioning";

  it("finds the dashboard in the folder that it is told to look into", () => {
    const file = mountedAt("grafana", `${provisioned}/dashboards/parley.yaml`);
    const { providers } = parse(readText(file ?? "")) as {
      readonly providers: readonly { readonly type: string; readonly options: { path: string } }[];
    };
    expect(providers.map(({ type }) => type)).toEqual(["file"]);
    const dashboard = mountedAt("grafana", `${providers[0]?.options.path}/parley.json`);
    expect(dashboard).toBe("deploy/grafana/parley.json");
    expect(JSON.parse(readText(dashboard ?? ""))).toMatchObject({ uid: "parley", title: "Parley" });
  });

  it("asks Prometheus, where compose.yaml has it, and the dashboard takes that source", () => {
    const file = mountedAt("grafana", `${provisioned}/datasources/parley.yaml`);
    const { datasources } = parse(readText(file ?? "")) as {
      readonly datasources: readonly { readonly type: string; readonly url: string }[];
    };
    const { type, url } = datasources[0] ?? { type: "", url: "" };
    expect(type).toBe("prometheus");
    const { hostname, port } = new URL(url);
    expect(observers.map(([name]) => name)).toContain(hostname);
    expect(port).toBe(publishedPort(hostname));
    const { templating, panels } = JSON.parse(readText("deploy/grafana/parley.json")) as {
      readonly templating: { readonly list: readonly Readonly<Record<string, unknown>>[] };
      readonly panels: readonly { readonly datasource?: object; readonly targets?: unknown }[];
    };
    expect(templating.list[0]).toMatchObject({
      name: "datasource",
      type: "datasource",
      query: type,
    });
    const shown = panels.filter(({ targets }) => targets !== undefined);
    expect(shown.length).toBeGreaterThan(10);
    for (const { datasource } of shown) {
      expect(datasource).toEqual({ type, uid: "${datasource}" });
    }
  });
});

describe("the collector", () => {
  it("has every part that its pipelines name, and listens where compose.yaml opens a port", () => {
    const { text } = configOf("collector", "--config=");
    const config = parse(text) as Readonly<
      Record<"receivers" | "processors" | "exporters", Readonly<Record<string, unknown>>>
    > & {
      readonly service: {
        readonly pipelines: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
      };
    };
    expect(Object.keys(config.service.pipelines)).toEqual(["traces", "metrics"]);
    for (const pipeline of Object.values(config.service.pipelines)) {
      for (const kind of ["receivers", "processors", "exporters"] as const) {
        for (const name of pipeline[kind] ?? []) expect(config[kind]).toHaveProperty(name);
      }
    }
    const { otlp } = config.receivers as {
      readonly otlp: { readonly protocols: Readonly<Record<string, { endpoint: string }>> };
    };
    expect(otlp.protocols["http"]?.endpoint).toBe(`0.0.0.0:${publishedPort("collector")}`);
  });
});
