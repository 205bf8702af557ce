import { createKey } from "@parley/a2a/auth";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { connect } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import { readLog } from "../../../a2a/test/support/read-log.js";
import { openFolder } from "../../../a2a/test/support/files/open-folder.js";
import { openCliServer } from "../../../a2a/test/support/servers/open-cli-server.js";
import { runCli } from "../../src/run-cli.js";
import { openScriptServer } from "./open-script-server.js";

type Sent = { readonly task: Task };

describe("a server that is killed", () => {
  it("keeps what it has acknowledged: tasks that are over, that wait, and that are worked on", async () => {
    await using folder = await openFolder();
    const gate = folder.file("gate");
    await writeFile(
      folder.file("agent.sh"),
      `read -r text
      if grep -q ROLE_AGENT "$PARLEY_REQUEST_FILE"; then echo "Booked $text"; exit; fi
      case $text in
        over) echo over;;
        ask) echo '{"inputRequired":"When?"}' >&3;;
        work) echo begun; while [ -e $0 ] && [ ! -e ${gate} ]; do sleep 0.1; done; echo done;;
      esac`,
    );
    const args = ["--exec", `sh ${folder.file("agent.sh")}`];
    const first = await openCliServer(folder.file(), ...args);
    const before = await connect(first.url);
    const over = ((await before.send("over\n")) as Sent).task;
    const waiting = ((await before.send("ask\n")) as Sent).task;
    const working = ((await before.send("work\n", { returnImmediately: true })) as Sent).task;
    await expect
      .poll(async () => (await before.task(working.id)).artifacts?.[0]?.parts)
      .toEqual([{ text: "begun\n" }]);
    await first.stop("SIGKILL");

    await using second = await openCliServer(folder.file(), ...args);
    await writeFile(gate, "");
    const after = await connect(second.url);
    expect(await after.task(over.id)).toEqual(over);
    const { task: booked } = (await after.send("May\n", { taskId: waiting.id })) as Sent;
    expect(booked.artifacts?.at(-1)?.parts).toEqual([{ text: "Booked May\n" }]);
    // The lease of the first server has to end.
    await expect
      .poll(() => after.task(working.id), { interval: 250 })
      .toMatchObject({
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [{ parts: [{ text: "begun\n" }, { text: "done\n" }] }],
      });
  });
});

describe("parley serve", () => {
  it("lets a model finish its answer when it is stopped, and writes a line for the task", async () => {
    await using folder = await openFolder();
    let finish = (): void => undefined;
    await using model = await openScriptServer((response) => {
      const chunk = (content: string): string =>
        `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(chunk("Good "));
      finish = () => response.end(`${chunk("night")}data: [DONE]\n\n`);
    });
    const args = ["--openai", `${model.url}/v1`, "--model", "tiny", "--name", "Poet"];
    const server = await openCliServer(folder.file(), ...args, { OPENAI_API_KEY: "sk-1" });
    const agent = await connect(server.url);
    expect(agent.card.name).toBe("Poet");
    const { task } = (await agent.send("go", { returnImmediately: true })) as Sent;
    await expect.poll(() => model.received.length).toBe(1);
    expect(model.received[0]?.headers.authorization).toBe("Bearer sk-1");
    const ended = server.stop("SIGINT");
    await expect.poll(() => server.stderr()).toContain("drain.phase");
    finish();
    expect(await ended).toBe(0);
    expect(readLog(server.stderr())).toContainEqual(
      expect.objectContaining({
        event: "run.ended",
        agent: "Poet",
        taskId: task.id,
        outcome: "completed",
      }),
    );
    expect(server.stdout()).toContain(`Store: `);
    expect(existsSync(folder.file())).toBe(true);

    await using next = await openCliServer(folder.file(), ...args);
    const { artifacts } = await (await connect(next.url)).task(task.id);
    expect(artifacts?.[0]?.parts).toEqual([{ text: "Good " }, { text: "night" }]);
  });

  it("stands before another agent, for callers with keys", async () => {
    const { key, hash } = await createKey();
    await using other = await openCliServer("memory:", { PARLEY_API_KEY: "k".repeat(32) });
    const args = ["--a2a", other.url, "--header", `X-API-Key: ${"k".repeat(32)}`];
    await using gateway = await openCliServer("memory:", ...args, "--key", `ada:${hash}`);
    const stranger = await connect(gateway.url);
    expect(stranger.card.name).toBe("Parley demo");
    await expect(stranger.text("echo hi")).rejects.toThrow();
    const ada = await connect(gateway.url, { credentials: { key } });
    expect(await ada.text("echo hi")).toBe("hi");
    const { task } = (await ada.send("flight")) as Sent;
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const onInputRequired = () => "Tokyo";
    expect(await ada.text("again", { taskId: task.id, onInputRequired })).toContain("XYZ123");
  });
});

describe("a command line that cannot be served", () => {
  it.each<[readonly string[], string]>([
    [["a.ts", "b.ts"], "serve takes one of a.ts and b.ts, not both"],
    [["a.ts", "--exec", "cat"], "serve takes one of a.ts and --exec, not both"],
    [["--exec", "cat", "--http", "http://a"], "serve takes one of --exec and --http, not both"],
    [["./none.ts"], "there is no module ./none.ts"],
    [["--exec", "cat | wc"], "--exec has |, and no shell reads it"],
    [["--exec", "there-is-none"], "--exec: there is no program there-is-none in PATH"],
    [["--http", "localhost:8000"], "--http must be a URL such as http://127.0.0.1:8000/"],
    [["--openai", "http://a/v1"], "--openai needs --model NAME"],
    [["--model", "a"], "--model is for --openai"],
    [["--watch"], "--watch is for a module"],
    [["--name", "A"], "--name is for --exec, --http, --openai and --a2a"],
    [["--header", "A: b"], "--header is for --http and --a2a"],
    [["--http", "http://a", "--header", "secret"], "--header, number 1, must be a line such as"],
    [["--key", "secret"], "--key, number 1, must be NAME:HASH"],
    [["--auth", "https://id.example"], "--auth needs --audience"],
    [["--max-runs", "0"], "--max-runs must be a whole number from 1 on, not 0"],
    [["--max-task-size", "1"], "--max-task-size must be a size such as 512kb"],
  ])("%j is a usage error", async (args, problem) => {
    let stderr = "";
    const output = {
      stdout: { write: () => undefined },
      stderr: { write: (text: string) => (stderr += text) },
    };
    expect(await runCli(["serve", "--port", "0", ...args], output)).toBe(2);
    expect(stderr).toContain(`Error: ${problem}`);
    expect(stderr).toContain("Hint: parley help serve\n");
    expect(stderr).not.toContain("secret");
  });
});
