import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runCli } from "../../src/run-cli.js";
import { pathInRoot, readText } from "./chart.js";

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
}

const text = readText("deploy/compose.yaml");
const compose = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const nodes = services.filter(([name]) => name.startsWith("node-"));
const nginx = readText("deploy/nginx.conf").replace(/#.*$/gm, "");

describe("compose.yaml", () => {
  it("has three nodes, which differ in nothing but their names", () => {
    expect(nodes.map(([name]) => name)).toEqual(["node-1", "node-2", "node-3"]);
    for (const [, node] of nodes) expect(node).toEqual(nodes[0]?.[1]);
  });

  it("waits for services that there are, and for the health of those that tell it", () => {
    const isTold = (name: string): boolean =>
      compose.services[name]?.image === "parley" ||
      compose.services[name]?.healthcheck?.test !== undefined;
    for (const [, { depends_on: needed = {} }] of services) {
      for (const [name, { condition }] of Object.entries(needed)) {
        expect(compose.services).toHaveProperty(name);
        if (condition === "service_healthy") expect(isTold(name), name).toBe(true);
      }
    }
    expect(compose.services["node-1"]?.depends_on).toHaveProperty("migrate.condition");
  });

  it("keeps passwords out of the file", () => {
    const secret = services.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|KEY/.test(name)),
    );
    expect(secret.length).toBeGreaterThan(0);
    for (const [name, value] of secret) expect(value, name).toMatch(/^\$\{\w+:\?[^}]+\}$/);
    expect(text).not.toMatch(/:\/\/\w+:[^@\s]+@/);
  });

  it("gives nodes variables that the library or its driver reads, and options that parley has", async () => {
    const known = /^(?:DATABASE_URL|NATS_URL|PGPASSWORD|PARLEY_API_KEY)$/;
    const [, node] = nodes[0] ?? [];
    expect(Object.keys(node?.environment ?? {}).filter((name) => !known.test(name))).toEqual([]);
    let usage = "";
    const stdout = { write: (written: string) => (usage += written) };
    await runCli(["help", "serve"], { stdout, stderr: stdout });
    const options = node?.command?.filter((one) => one.startsWith("--")) ?? [];
    expect(options.length).toBeGreaterThan(1);
    expect(options.filter((one) => !new RegExp(`^ +${one} `, "m").test(usage))).toEqual([]);
  });

  it("gives a node more time to stop than it takes", () => {
    const [, node] = nodes[0] ?? [];
    const grace = Number(node?.command?.[node.command.indexOf("--stop-grace") + 1]);
    expect(parseInt(node?.stop_grace_period ?? "", 10)).toBeGreaterThan(grace + 5);
  });

  it("starts NATS, Prometheus, Grafana and the collector only where somebody asks for them", () => {
    const asked = services.filter(([, { profiles }]) => profiles !== undefined);
    expect(asked.map(([name]) => name)).toEqual(["nats", "prometheus", "grafana", "collector"]);
    // Empty means that there is none.
    expect(nodes[0]?.[1].environment?.["NATS_URL"]).toBe("${NATS_URL:-}");
  });

  it("opens ports to this machine only, and mounts what there is", () => {
    for (const [, { ports = [], volumes = [] }] of services) {
      for (const one of ports) expect(one).toMatch(/^127\.0\.0\.1:/);
      for (const one of volumes) {
        const [source = ""] = one.split(":");
        if (source.startsWith("./")) expect(existsSync(pathInRoot(`deploy/${source}`))).toBe(true);
        else expect(compose.volumes).toHaveProperty(source);
      }
    }
  });
});

describe("nginx.conf", () => {
  it("spreads calls over all nodes, at the ports of parley", () => {
    const upstreams = Array.from(nginx.matchAll(/^ +server (\S+:\d+) /gm), ([, one]) => one);
    const names = nodes.map(([name]) => name);
    expect(upstreams).toEqual([
      ...names.map((name) => `${name}:4100`),
      ...names.map((name) => `${name}:4101`),
    ]);
  });

  it("is not sticky, does not hold back streams, and cuts none before its heartbeat", () => {
    expect(nginx).not.toMatch(/ip_hash|\bhash\b|sticky/);
    expect(nginx).toContain("proxy_buffering off;");
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(nginx) ?? [];
    expect(Number(seconds)).toBeGreaterThan(15);
  });

  it("has as many blocks open as closed, and a semicolon after each directive", () => {
    const lines = nginx.split("\n").map((line) => line.trim());
    expect(lines.filter((line) => line !== "" && !/[;{}]$/.test(line))).toEqual([]);
    const count = (sign: string): number => nginx.split(sign).length;
    expect(count("{")).toBe(count("}"));
  });

  it("listens where compose.yaml leads callers", () => {
    const inside = compose.services["proxy"]?.ports?.map((one) => one.split(":").at(-1));
    const listened = Array.from(nginx.matchAll(/^ +listen (\d+);/gm), ([, one]) => one);
    expect(listened).toEqual(inside);
  });
});
