import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { failureOf, textOf } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import { tryAgent } from "@parley/a2a/testing";
import { openFolder } from "../../../a2a/test/support/files/open-folder.js";
import { createExecAgent } from "../../src/serve/exec/exec-agent.js";
import { Program } from "../../src/serve/exec/program.js";

const patience = { patienceMs: 60_000 };
const shell = (script: string, killAfterMs?: number) =>
  createExecAgent({
    words: ["sh", "-c", script],
    ...(killAfterMs !== undefined && { killAfterMs }),
  });

const wordsOf = ({ status }: Task): string => (status.message ? textOf(status.message) : "");
const hasText = (expected: string) => (updates: readonly unknown[]) =>
  JSON.stringify(updates).includes(expected);

/** Whether a process works. What has ended and was never asked for its end is still in the table of processes. */
async function isAlive(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  if (stat !== "") return !/\) Z /.test(stat);
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

describe("a program", () => {
  it("reads the message, and its output is the answer", async () => {
    await using trial = await tryAgent(createExecAgent({ words: ["cat"] }), patience);
    expect(await (await trial.send("Grüße")).text()).toBe("Grüße");
  });

  it("streams: what it has written is told while it works", async () => {
    await using folder = await openFolder();
    const gate = folder.file("gate");
    const script = `echo first; until [ -e ${gate} ]; do sleep 0.02; done; echo second`;
    await using trial = await tryAgent(shell(script), patience);
    const talk = await trial.send("go");
    await talk.until(hasText("first"), "the first line");
    await writeFile(gate, "");
    expect(await talk.text()).toBe("first\nsecond\n");
  });

  it("says more than text with lines of JSON on file descriptor 3", async () => {
    const script = `
      echo '{"status":"Half way","progress":0.5}' >&3
      echo '{"artifact":"report","data":{"rows":2}}' >&3
      printf '{"completed":"All done"}' >&3`;
    await using trial = await tryAgent(shell(script), patience);
    const talk = await trial.send("go");
    const task = await talk.task();
    expect(wordsOf(task)).toBe("All done");
    expect(task.artifacts).toMatchObject([
      { artifactId: "report", parts: [{ data: { rows: 2 } }] },
    ]);
    expect(talk.updates.some(hasProgress)).toBe(true);
  });

  it("asks by ending with a question, and finds the history in its next run", async () => {
    const script = `
      if grep -q ROLE_AGENT "$PARLEY_REQUEST_FILE"; then printf 'Booked: '; cat;
      else echo '{"inputRequired":"When?"}' >&3; fi`;
    await using trial = await tryAgent(shell(script), patience);
    const talk = await trial.send("A trip");
    expect(await talk.question()).toBe("When?");
    await trial.crash();
    await talk.answer("in May");
    expect(await talk.text("answer-2")).toBe("Booked: in May");
  });

  it("knows its task, and nothing of the secrets of the server", async () => {
    vi.stubEnv("PARLEY_API_KEY", "secret of the server");
    await using trial = await tryAgent(shell("env | grep ^PARLEY_ | sort"), patience);
    const talk = await trial.send("go");
    const text = await talk.text();
    vi.unstubAllEnvs();
    expect(text).toContain(`PARLEY_TASK_ID=${talk.taskId}\n`);
    expect(text.match(/^PARLEY_\w+/gm)).toEqual([
      "PARLEY_CONTEXT_ID",
      "PARLEY_MESSAGE_ID",
      "PARLEY_OUTPUT_FD",
      "PARLEY_REQUEST_FILE",
      "PARLEY_TASK_ID",
    ]);
  });

  it("need not read a long message", async () => {
    await using trial = await tryAgent(shell("echo short"), patience);
    expect(await (await trial.send("long ".repeat(500_000))).text()).toBe("short\n");
  });

  it("may write bytes that are not UTF-8, and characters in pieces", async () => {
    const script = String.raw`printf '\377ok \303'; sleep 0.1; printf '\244 \342\202'`;
    await using trial = await tryAgent(shell(script), patience);
    expect(await (await trial.send("go")).text()).toBe("\uFFFDok ä \uFFFD");
  });

  it("may be written in Python", async ({ skip }) => {
    const hasPython = spawnSync("python3", ["--version"]).status === 0;
    skip(!hasPython, "there is no python3");
    await using folder = await openFolder();
    await writeFile(
      folder.file("agent.py"),
      [
        "import json, os, sys",
        "out = os.fdopen(int(os.environ['PARLEY_OUTPUT_FD']), 'w')",
        "request = json.load(open(os.environ['PARLEY_REQUEST_FILE']))",
        "print(sys.stdin.read().upper(), end='', flush=True)",
        "print(json.dumps({'artifact': 'parts', 'data': len(request['message']['parts'])}), file=out)",
      ].join("\n"),
    );
    const words = ["python3", folder.file("agent.py")];
    await using trial = await tryAgent(createExecAgent({ words }), patience);
    const talk = await trial.send(["a", "b"]);
    expect(await talk.text()).toBe("A\nB");
    expect((await talk.task()).artifacts?.at(1)?.parts).toEqual([{ data: 2 }]);
  });
});

describe("a program that fails", () => {
  it("fails its task, with its exit code and the last lines of its errors", async () => {
    const script = "echo part; seq 1 100000 >&2; echo 'no such table' >&2; exit 3";
    await using trial = await tryAgent(shell(script), patience);
    const task = await (await trial.send("go")).task();
    expect(task.status.state).toBe("TASK_STATE_FAILED");
    expect(failureOf(task)).toMatchObject({ code: "PROGRAM_FAILED", details: { exitCode: 3 } });
    const words = wordsOf(task);
    expect(words).toMatch(/^The program ended with the exit code 3:\n\d+\n/);
    expect(words).toMatch(/\n100000\nno such table$/);
    expect(words.split("\n")).toHaveLength(21);
    expect(task.artifacts?.map(textOf)).toEqual(["part\n"]);
  });

  it.each([
    ["a signal", "kill -9 $$", "The program was ended by SIGKILL", { signal: "SIGKILL" }],
    [
      "a signal in the middle of its answer",
      "echo half; kill -9 $$",
      "The program was ended by SIGKILL",
      { signal: "SIGKILL" },
    ],
    ["words of its own", `echo '{"failed":"No seats"}' >&3; exit 1`, "No seats", undefined],
    ["no JSON", "echo nonsense >&3", /file descriptor 3.*not JSON: nonsense$/, undefined],
  ])("says so: %s", async (_, script, expected, details) => {
    await using trial = await tryAgent(shell(script), patience);
    const task = await (await trial.send("go")).task();
    expect(task.status.state).toBe("TASK_STATE_FAILED");
    expect(wordsOf(task)).toEqual(
      expected instanceof RegExp ? expect.stringMatching(expected) : expected,
    );
    expect(failureOf(task)?.details).toEqual(details);
  });

  it("may not be there", async () => {
    await using trial = await tryAgent(createExecAgent({ words: ["/there/is/none"] }), patience);
    const task = await (await trial.send("go")).task();
    expect(wordsOf(task)).toBe("the program /there/is/none could not be started");
    expect(String(trial.reports[0]?.error)).toContain("ENOENT");
  });

  it("may write more than a task holds, and is ended", async () => {
    await using folder = await openFolder();
    const settings = { maxTaskBytes: 1024 * 1024 };
    const script = `echo $$ > ${folder.file("pid")}; exec cat /dev/zero`;
    await using trial = await tryAgent(shell(script, 200), { ...patience, settings });
    const task = await (await trial.send("go")).task();
    expect(wordsOf(task)).toBe("the task has more than 1048576 bytes");
    const pid = await readFile(folder.file("pid"), "utf8");
    await expect.poll(() => isAlive(pid.trim())).toBe(false);
  });
});

describe("a canceled task", () => {
  it("ends its program with SIGTERM", async () => {
    await using folder = await openFolder();
    const script = `
      trap 'echo bye > ${folder.file("bye")}; exit 0' TERM
      echo ready; while :; do sleep 0.02; done`;
    await using trial = await tryAgent(shell(script, 60_000), patience);
    const talk = await trial.send("go");
    await talk.until(hasText("ready"), "the program");
    await talk.cancel();
    expect((await talk.task()).status.state).toBe("TASK_STATE_CANCELED");
    await expect.poll(() => readFile(folder.file("bye"), "utf8").catch(() => "")).toBe("bye\n");
  });

  it("ends a program that ignores SIGTERM, and what that has started", async () => {
    await using folder = await openFolder();
    const pids = folder.file("pids");
    const script = `
      trap '' TERM
      sleep 300 & echo $$ $! > ${pids}
      echo ready; while :; do sleep 0.02; done`;
    await using trial = await tryAgent(shell(script, 100), patience);
    const talk = await trial.send("go");
    await talk.until(hasText("ready"), "the program");
    await talk.cancel();
    expect((await talk.task()).status.state).toBe("TASK_STATE_CANCELED");
    const [parent = "", child = ""] = (await readFile(pids, "utf8")).trim().split(" ");
    await expect.poll(() => Promise.all([parent, child].map(isAlive))).toEqual([false, false]);
  });
});

describe("a server that dies", () => {
  /** Says which run it is, and waits for the gate. A run that outlives its server ends with the folder at the latest. */
  const script = (count: string, gate: string): string =>
    `echo run >> ${count}; wc -l < ${count} | tr -d ' '; ` +
    `while [ -e ${count} ] && [ ! -e ${gate} ]; do sleep 0.02; done`;

  it("leaves a run that is begun again", async () => {
    await using folder = await openFolder();
    const [count, gate] = [folder.file("count"), folder.file("gate")];
    await using trial = await tryAgent(shell(script(count, gate), 100), patience);
    const talk = await trial.send("go");
    await talk.until(hasText('"1\\n"'), "the first run");
    await trial.crash();
    await writeFile(gate, "");
    expect(await talk.text()).toBe("2\n");
  });

  it("fails the task of a run that must not be repeated", async () => {
    await using folder = await openFolder();
    const [count, gate] = [folder.file("count"), folder.file("gate")];
    const words = ["sh", "-c", script(count, gate)];
    await using trial = await tryAgent(createExecAgent({ words, atMostOnce: true }), patience);
    const talk = await trial.send("go");
    await talk.until(hasText('"1\\n"'), "the first run");
    await trial.crash();
    expect((await talk.task()).status.state).toBe("TASK_STATE_FAILED");
    await writeFile(gate, "");
    expect(await readFile(count, "utf8")).toBe("run\n");
  });
});

it("a program has to wait until what it has written is read", async () => {
  await using folder = await openFolder();
  const count = folder.file("count");
  const script = `i=0; while :; do head -c 65536 /dev/zero; i=$((i+1)); echo $i > ${count}; done`;
  const words = ["sh", "-c", script];
  const program = new Program({ words, env: process.env, input: "", killAfterMs: 100 });
  try {
    const written = async (): Promise<number> =>
      Number(await readFile(count, "utf8").catch(() => "0"));
    // Two looks find the same: it waits.
    let [before, now] = [-1, 0];
    while (now === 0 || now !== before) {
      before = now;
      await sleep(300);
      now = await written();
      expect(now).toBeLessThan(64);
    }
  } finally {
    program.stop();
    for await (const _ of program.said) {
      // Until it has ended.
    }
  }
});

function hasProgress(update: object): boolean {
  return JSON.stringify(update).includes('"progress":0.5');
}
