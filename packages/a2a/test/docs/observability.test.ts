import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import { instruments, logEvents } from "../../src/protocol/telemetry/internal.js";
import { openFolder } from "../support/files/open-folder.js";
import { openCliServer } from "../support/servers/open-cli-server.js";
import { describePage } from "./describe-page.js";
import { blocksOf, pathInRoot } from "./page.js";

describePage("docs/observability.md", (code) => {
  it("traced.ts prints one trace through both agents", async () => {
    await using running = await code().run("traced", [4100]);
    const travel = await connect(`http://127.0.0.1:${running.portFor(4100)}/travel`);
    expect(await travel.text("Rome")).toBe("PY 42 to Rome");
    expect(await running.stop("SIGTERM")).toBe(0);
    const printed = running.stdout();
    const traceOf = (name: string): string | undefined =>
      new RegExp(`traceId: '(\\w+)',[^{]*?name: '${name}'`).exec(
        printed.replaceAll(/parentSpanContext: \{[^}]*\},|traceState: [^,]*,/g, ""),
      )?.[1];
    expect(traceOf("run Search")).toMatch(/^[\da-f]{32}$/);
    expect(traceOf("run Travel")).toBe(traceOf("run Search"));
  });

  it("its commands say how a server is", async () => {
    await using folder = await openFolder();
    const args = ["--metrics", "--metrics-port", "0", "--log-level", "silent"];
    await using server = await openCliServer(folder.file(), ...args);
    const [, metrics = ""] = /^Metrics: (.*)\/metrics$/m.exec(server.stdout()) ?? [];
    const commands = blocksOf("docs/observability.md").find(({ language }) => language === "sh");
    const script = (commands?.code ?? "")
      .replace("http://127.0.0.1:4100", server.url)
      .replace("http://127.0.0.1:9464", metrics)
      .replace(
        "parley cluster",
        `${process.execPath} ${pathInRoot("packages/cli/dist/main.js")} cluster`,
      )
      .replace(".parley/parley.db", folder.file());
    const { stdout } = await promisify(execFile)("/bin/sh", ["-ec", script]);
    expect(stdout).toContain('{"status":"ready"}');
    expect(stdout).toMatch(/^parley_run_active\{.*\} 0$/m);
    expect(stdout).toMatch(/^parley_lease_remaining_seconds\{.*\} \d/m);
    expect(stdout).toMatch(/^.*Parley demo.*$/m);
  });

  it("names only metrics and events that there are", () => {
    const page = readFileSync(pathInRoot("docs/observability.md"), "utf8");
    const [section = ""] = /^## In a minute$.*?^## /ms.exec(page) ?? [];
    const named = Array.from(
      section.matchAll(/`((?:a2a|parley|nodejs|run|call)\.[\w.]+)`/g),
      ([, one]) => one,
    );
    const known = [
      ...Object.values(instruments).map(({ name }) => name),
      ...Object.keys(logEvents),
    ];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((one) => !known.includes(one ?? ""))).toEqual([]);
  });

  it("measured.ts is read by Prometheus", async () => {
    await using running = await code().run("measured", [4100, 9464]);
    const url = `http://127.0.0.1:${running.portFor(9464)}/metrics`;
    // It answers while the server starts, too.
    await expect.poll(async () => (await fetch(url)).text()).toContain("\nparley_ready 1\n");
    expect(await running.stop("SIGTERM")).not.toBe(1);
  });

  it("shows the answer of a node that has lost its lease as it is", () => {
    const blocks = blocksOf("docs/observability.md");
    const shown = blocks.find(({ language }) => language === "json");
    const { status, reasons } = JSON.parse(shown?.code ?? "") as {
      status: string;
      reasons: { lease: string };
    };
    expect(status).toBe("unready");
    const source = readFileSync(pathInRoot("packages/a2a/src/server/runtime.ts"), "utf8");
    expect(source).toContain(`notReady("lease", ${JSON.stringify(reasons.lease)})`);
  });

  it("relay.ts is an agent", async () => {
    const { relay } = (await code().load("relay")) as { relay: { name: string } };
    expect(relay.name).toBe("Relay");
  });
});
