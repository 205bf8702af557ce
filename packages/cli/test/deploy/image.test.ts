import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { pathInRoot, readText } from "./chart.js";

interface Instruction {
  readonly name: string;
  readonly words: string;
}

/** The instructions of the Dockerfile, stage by stage. */
const stages: readonly (readonly Instruction[])[] = readText("deploy/Dockerfile")
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [, name = "", words = ""] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    return { name, words };
  })
  .reduce<Instruction[][]>((all, one) => {
    if (one.name === "FROM") all.push([]);
    all.at(-1)?.push(one);
    return all;
  }, []);
const final = stages.at(-1) ?? [];

const ignored = readText(".dockerignore");
const isSent = (path: string): boolean => ignored.split("\n").includes(`!${path}`);

/** What a stage copies from the repository. */
function copiedFromHere(stage: readonly Instruction[]): readonly string[] {
  return stage
    .filter(({ name, words }) => name === "COPY" && !words.includes("--from="))
    .flatMap(({ words }) => words.split(" ").slice(0, -1));
}

/** The words of an instruction in exec form. Fails for the shell form, in which a shell takes the signals. */
function execOf(name: string): readonly string[] {
  const { words = "" } = final.find((one) => one.name === name) ?? {};
  return JSON.parse(words.replace(/^(?:--\S+ )*CMD /, "")) as string[];
}

describe("the image", () => {
  it("copies what there is, and what is sent to the build", () => {
    const copied = stages.flatMap(copiedFromHere);
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(pathInRoot(path)))).toEqual([]);
    expect(copied.filter((path) => !isSent(path))).toEqual([]);
    expect(ignored).toMatch(/^\*$/m);
  });

  it("installs packages from all manifests, and before it copies sources", () => {
    const workspaces = readdirSync(pathInRoot("packages")).map(
      (one) => `packages/${one}/package.json`,
    );
    const manifests = ["package.json", "package-lock.json", ".npmrc", ...workspaces];
    for (const stage of stages.slice(0, 2)) {
      const install = stage.findIndex(({ words }) => words.includes('"npm", "ci"'));
      expect([...copiedFromHere(stage.slice(0, install))].sort()).toEqual([...manifests].sort());
    }
  });

  it("has no packages for development, runs as nobody special, and gets the signal to stop", () => {
    expect(stages[1]?.some(({ words }) => words.includes('"--omit=dev"'))).toBe(true);
    const value = (name: string) => final.find((one) => one.name === name)?.words;
    expect(value("USER")).toBe("1000:1000");
    expect(value("STOPSIGNAL")).toBe("SIGTERM");
    expect(execOf("ENTRYPOINT")).toEqual(["node", "/app/packages/cli/dist/main.js"]);
    expect(execOf("CMD")[0]).toBe("serve");
    for (const stage of stages) expect(stage[0]?.words).toMatch(/^node:20-slim\b/);
  });

  it.each([
    [200, 0],
    [503, 1],
    [undefined, 1],
  ])("is healthy or not by what /healthz answers: %s", async (status, exitCode) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/healthz" ? (status ?? 200) : 404).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    if (status === undefined) server.close();
    const [, ...args] = execOf("HEALTHCHECK").map((word) => word.replace("4100", String(port)));
    const child = spawn(process.execPath, args);
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(exitCode);
    server.close();
  });
});
