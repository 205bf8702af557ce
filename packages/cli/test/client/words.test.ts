import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { agent } from "@parley/a2a";
import { hashKey } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { commandTable } from "../../src/command-table.js";
import { openDemo } from "../../../a2a/test/support/servers/open-demo.js";
import { createDeferred } from "../../../a2a/test/support/time/deferred.js";
import { runHere } from "../run-here.js";
import { documentOf, labeled, parley, startParley } from "./parley.js";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

describe("help", () => {
  it("has an example for every command, and the options of the command in it exist", async () => {
    for (const { name, load } of commandTable) {
      const { usage } = await load();
      const [text = "", examples] = usage.split(/^Examples?:$/m);
      expect(examples, name).toMatch(/^ {2}.*\bparley /m);
      for (const option of examples?.match(/(?<= )--[a-z][\w-]*/g) ?? []) {
        if (option !== "--version") expect(text, `${name} ${option}`).toContain(option);
      }
    }
  });

  it("is shown in every way of asking", async () => {
    const asked = [
      ["help", "task", "get"],
      ["task", "get", "--help"],
      ["task", "get", "-h"],
    ];
    const here = [...asked, ["task"], ["-v"]].map((args) => runHere(...args));
    const [child, ...ran] = await Promise.all([parley(["help", "task", "get"]), ...here]);
    const [first] = ran;
    expect(child).toEqual(first);
    expect(first?.stdout).toMatch(/^Usage: parley task get ID \[options\]\n/);
    expect(ran.slice(0, 3)).toEqual([first, first, first]);
    expect(ran[3]).toMatchObject({ code: 2, stdout: "" });
    expect(ran[3]?.stderr).toMatch(
      /^Error: task is followed by one of: get, list, .*\nHint: parley help task\n$/,
    );
    expect(ran[4]?.stdout).toMatch(/^parley \d/);
  });
});

describe("SKILL.md", () => {
  const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), "utf8");

  it("is short, and points at the help and at examples in a file beside it", async () => {
    const skill = await read("SKILL.md");
    expect(skill.split("\n").length).toBeLessThan(40);
    expect(skill).toContain("parley help");
    expect(skill).toContain("(SKILL-EXAMPLES.md)");
  });

  it.each(["SKILL.md", "SKILL-EXAMPLES.md"])(
    "names commands and options that exist in %s",
    async (name) => {
      const shown = (await read(name)).match(/(?<=`)parley [^`]+(?=`)/g) ?? [];
      expect(shown.length).toBeGreaterThan(1);
      for (const line of shown) {
        const words = line.split(" ").slice(1);
        const found = commandTable.find(({ name: command }) =>
          `${words.join(" ")} `.startsWith(`${command} `),
        );
        if (words[0] === "--version") continue;
        expect(found, line).toBeDefined();
        const usage = (await found?.load())?.usage ?? "";
        for (const option of line.match(/(?<= )--[a-z][\w-]*/g) ?? [])
          expect(usage, line).toContain(option);
      }
    },
  );
});

describe("servers", () => {
  /** Starts a server, and resolves to its URL once it has said it. */
  async function start(...args: readonly string[]): Promise<string> {
    const server = startParley([...args, "--port", "0", "--no-grpc", "--store", "memory:"]);
    onTestFinished(() => void server.kill("SIGKILL"));
    let said = "";
    for await (const text of server.stdout.setEncoding("utf8")) {
      said += String(text);
      if (said.includes("Try:")) break;
    }
    return /Card: (.*)\/\.well-known/.exec(said)?.[1] ?? "";
  }

  it("demo-server serves the demo agent, and gateway another agent, which parts by their later names reach", async () => {
    const url = await start("demo-server");
    const gateway = await start("gateway", url);
    expect(gateway).not.toBe(url);
    for (const at of [url, gateway]) {
      const ran = await runHere("send", "-a", at, "--text-part", "echo hi", "-o", "json");
      expect({ ...ran, stdout: "" }).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(ran.stdout).toContain('"hi"');
    }
  });

  it("gateway takes one agent", async () => {
    const ran = await Promise.all([runHere("gateway"), runHere("gateway", "a", "b")]);
    expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, "Error: gateway takes one agent; none was given\nHint: parley help gateway\n"],
      [2, "Error: gateway takes one agent; 2 were given\nHint: parley help gateway\n"],
    ]);
  });
});

describe("config show", () => {
  it("shows each value with its source, and no secrets", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-config-"));
    const home = join(folder, "home");
    await mkdir(join(home, "a2a-cli"), { recursive: true });
    await mkdir(join(folder, "deep"));
    await writeFile(join(folder, ".env"), "A2ACLI_TIMEOUT=9s\nA2ACLI_BEARER=hush-hush\nOTHER=1\n");
    await writeFile(join(home, "a2a-cli/.env"), "A2ACLI_OUTPUT=json\nA2ACLI_TIMEOUT=1s\n");
    const env = { XDG_CONFIG_HOME: home, A2ACLI_A2A_VERSION: "0.3" };
    const ran = await parley(["config", "show", "-a", "localhost:4100"], {
      cwd: join(folder, "deep"),
      env,
    });
    const settings = JSON.parse(ran.stdout) as Record<string, { value: unknown; source: string }>;
    expect(settings["agent-card"]).toMatchObject({ value: "localhost:4100", source: "flag" });
    expect(settings["a2a-version"]).toMatchObject({ value: "0.3", source: "environment" });
    expect(settings["timeout"]).toMatchObject({ value: "9s", source: join(folder, ".env") });
    expect(settings["output"]).toMatchObject({ value: "json", source: join(home, "a2a-cli/.env") });
    expect(settings["poll-interval"]).toMatchObject({ value: "2s", source: "default" });
    expect(settings["bearer"]).toMatchObject({ value: "[redacted]", variable: "A2ACLI_BEARER" });
    expect(settings["stream"]).toBeUndefined();
    expect(ran.stdout).not.toContain("hush-hush");
  });
});

describe("key", () => {
  it("makes a key whose hash a server can keep, and hashes one that it is given", async () => {
    const own = "a key of more than twenty signs".replaceAll(" ", "-");
    const [made, hashed, short] = await Promise.all([
      runHere("key", "ada", "-o", "json"),
      parley(["key", "ada", "--stdin"], { input: `${own}\n` }),
      parley(["key", "ada", "--stdin"], { input: "short" }),
    ]);
    const { key, hash, server } = JSON.parse(made.stdout) as Record<string, string>;
    expect(hash).toBe(await hashKey(key ?? ""));
    expect(server).toBe(`ada:${hash}`);
    expect(labeled(hashed.stdout, "Server")).toBe(`parley serve --key ada:${await hashKey(own)}`);
    expect(hashed.stdout).not.toContain(own);
    expect([short.code, short.stdout]).toEqual([2, ""]);
    expect(short.stderr).not.toContain("short\n");
  });
});

describe("completion", () => {
  it("completes commands and options in bash", async () => {
    const { stdout } = await runHere("completion", "bash");
    const complete = (...words: readonly string[]): readonly string[] => {
      const line = ["parley", ...words].map((word) => `'${word}'`).join(" ");
      const script = `${stdout}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _parley; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const ran = spawnSync("bash", ["-c", script], { encoding: "utf8" });
      expect(ran.stderr).toBe("");
      return ran.stdout.trim().split("\n");
    };
    expect(complete("se")).toEqual(["send", "serve"]);
    expect(complete("task", "")).toEqual([
      "get",
      "list",
      "subscribe",
      "cancel",
      "download",
      "push-config",
    ]);
    expect(complete("task", "push-config", "c")).toEqual(["create"]);
    expect(complete("send", "--con")).toEqual(["--context-id", "--config"]);
  });

  it("has scripts for zsh and fish, and for no other shell", async () => {
    const [zsh, fish, other] = await Promise.all(
      ["zsh", "fish", "csh"].map((shell) => runHere("completion", shell)),
    );
    expect(zsh?.stdout).toMatch(/^#compdef parley\n/);
    expect(fish?.stdout).toContain("complete -c parley -n '__parley_at task' -f -a 'get'");
    expect(other).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("chat", () => {
  it("carries the context and the open task from line to line, as text where there is no terminal", async () => {
    await using demo = await openDemo();
    const lines = ["flight", "Berlin to Rome", "May", "/new", "echo done"];
    const [text, json, failed] = await Promise.all([
      parley(["chat", "-a", demo.url], { input: `${lines.join("\n")}\n` }),
      parley(["chat", "-a", demo.url, "-o", "json"], { input: "flight\nBerlin\n" }),
      parley(["chat", "-a", demo.url, "--task-id", "none"], { input: "hi\n" }),
    ]);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    const tasks = new Set(text.stdout.match(/^Task ID: .*$/gm));
    expect(tasks.size).toBe(1);
    expect(text.stdout).toContain('"route": "Berlin to Rome"');
    expect(text.stdout).toContain("Text:\ndone\n\n");
    expect(text.stdout).not.toContain("\u001B");
    const events = documentOf.events(json.stdout);
    const ids = events.flatMap(({ task, statusUpdate }) => task?.id ?? statusUpdate?.taskId ?? []);
    expect(new Set(ids).size).toBe(1);
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toContain("Code: TaskNotFoundError");
  });
});

describe.skipIf(!existsSync("/usr/bin/script"))("at a terminal", () => {
  /** Starts the program at a terminal, and collects what it shows. */
  function startAtTerminal(command: string) {
    const child = spawn(
      "/usr/bin/script",
      ["-qfec", `'${process.execPath}' '${main}' ${command}`, "/dev/null"],
      {
        env: { ...process.env, TERM: "xterm" },
      },
    );
    const terminal = { child, shown: "", ended: once(child, "close") };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (terminal.shown += text));
    return terminal;
  }

  it("a chat renders Markdown and files", async () => {
    const rich = agent({
      name: "Rich\u001B]0;title\u0007\nagent",
      description: "Answers in Markdown",
      async *run() {
        yield { artifact: "a", text: "# Title\n\n- **one**\n" };
        const bytes = new TextEncoder().encode("x");
        yield { artifact: "f", file: { bytes, mediaType: "text/csv", filename: "a.csv" } };
      },
    });
    await using server = await serve(rich, { port: 0, store: createMemoryStore() });
    const terminal = startAtTerminal(`chat -a ${server.url}`);
    await expect.poll(() => terminal.shown).toContain("> ");
    terminal.child.stdin.write("hello\r");
    await expect.poll(() => terminal.shown).toContain("File: a.csv, text/csv, 1 byte");
    expect(terminal.shown).toContain("\u001B[1mTitle\u001B[22m");
    expect(terminal.shown).toContain("• \u001B[1mone\u001B[22m");
    expect(terminal.shown).toContain("Rich]0;title agent. /help");
    expect(terminal.shown).not.toContain("\u001B]");
    expect(terminal.shown).not.toContain("\u0007");
    terminal.child.stdin.write("/quit\r");
    await terminal.ended;
    expect(terminal.child.exitCode).toBe(0);
  });

  it("a long wait shows where the task stands, and takes that away again", async () => {
    const release = createDeferred<string>();
    const slow = agent({ name: "Slow", description: "Waits", run: () => release.promise });
    await using server = await serve(slow, { port: 0, store: createMemoryStore() });
    const terminal = startAtTerminal(`send -a ${server.url} hi`);
    await expect.poll(() => terminal.shown).toMatch(/(?:Waiting|TASK_STATE_\w+ \S+), \d+ s/);
    release.resolve("done");
    await terminal.ended;
    const [, result = ""] = terminal.shown.split(/\r\p{Cc}\[K(?=Task ID|Message)/u);
    expect(result).toContain("done");
    expect(result).not.toContain("\u001B");
  });
});
