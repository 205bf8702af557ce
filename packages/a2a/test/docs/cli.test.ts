import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { commandTable } from "../../../cli/src/command-table.js";
import { openFolder } from "../support/files/open-folder.js";
import { openDemo } from "../support/servers/open-demo.js";
import { blocksOf, pathInRoot } from "./page.js";

const page = "docs/cli.md";
const text = readFileSync(pathInRoot(page), "utf8");

it("the commands of cli.md do what they say, one after the other", async () => {
  await using demo = await openDemo();
  await using folder = await openFolder();
  const main = pathInRoot("packages/cli/dist/main.js");
  await writeFile(folder.file("parley"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  });
  const blocks = blocksOf(page).filter(({ language }) => language === "sh");
  const script = ["set -e", ...blocks.map(({ code }) => code)].join("\n");
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("A2ACLI_"));
  const child = spawn("sh", ["-c", script.replaceAll("localhost:4100", new URL(demo.url).host)], {
    cwd: folder.path,
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${folder.path}:${process.env["PATH"]}`,
      XDG_CONFIG_HOME: folder.path,
    },
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (more: string) => (said[name] += more));
  }
  const [status] = (await once(child, "close")) as [number | null];
  expect(status, said.stderr).toBe(0);
  expect(said.stderr).toBe("");
  expect(said.stdout).toContain("chunk 1 chunk 2 chunk 3 chunk 4 chunk 5");
  expect(said.stdout).toContain('"route": "Helsinki to New York"');
  expect(said.stdout).toContain("File: results/FlightItinerary.json");
  expect(said.stdout).toContain("timeout: 30s (environment)");
  expect(readFileSync(folder.file("results/FlightItinerary.json"), "utf8")).toContain("XYZ123");
});

it("cli.md names no command that there is not", () => {
  const [, table = ""] = text.split("## Commands");
  const named = Array.from(table.matchAll(/^\| `([a-z][a-z -]*[a-z])/gm), ([, name]) => name ?? "");
  expect(named.length).toBeGreaterThan(10);
  const isKnown = (name: string): boolean =>
    commandTable.some((one) => one.name === name || one.name.startsWith(`${name} `));
  const words = named.map((name) => name.replace(/ (?:create|bash)$/, ""));
  expect(words.filter((name) => !isKnown(name))).toEqual([]);
});
