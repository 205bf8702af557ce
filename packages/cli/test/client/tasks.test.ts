import { mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDemo } from "../../../a2a/test/support/servers/open-demo.js";
import { runHere } from "../run-here.js";
import { documentOf, labeled, parley } from "./parley.js";

type Demo = Awaited<ReturnType<typeof openDemo>>;

let demo: Demo;
let at: readonly string[];
beforeAll(async () => {
  demo = await openDemo({ grpc: { port: 0, inCard: true } });
  at = ["-a", demo.url];
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
});

const run = (command: string, ...args: readonly string[]) =>
  runHere(...command.split(" "), ...at, ...args);

describe("send", () => {
  it("shows a message, and a task with its ids, its state, its artifacts and the next command", async () => {
    const [message, task] = await Promise.all([
      run("send", "echo hello"),
      run("send", "task write"),
    ]);
    expect(message).toMatchObject({ code: 0, stderr: "" });
    expect(message.stdout).toContain("Text:\nhello\n\n");
    expect(task).toMatchObject({ code: 0, stderr: "" });
    const context = labeled(task.stdout, "Context ID");
    expect(labeled(task.stdout, "Task ID")).toMatch(/\S/);
    expect(labeled(task.stdout, "State")).toBe("TASK_STATE_COMPLETED");
    expect(task.stdout).toContain("Artifact: result (result.txt)\nText:\nwrite\n\n");
    const next = `parley send -a ${demo.url} --context-id ${context} "…"`;
    expect(labeled(task.stdout, "Next")).toBe(next);
  });

  it("writes one document of the protocol's own type", async () => {
    const [message, task] = await Promise.all([
      run("send", "echo hello", "-o", "json"),
      run("send", "file", "-o", "json"),
    ]);
    expect([message.stderr, task.stderr]).toEqual(["", ""]);
    expect(Object.keys(JSON.parse(message.stdout) as object)).toEqual(["message"]);
    expect(documentOf.sent(message.stdout).message?.parts).toEqual([{ text: "hello" }]);
    expect(Object.keys(JSON.parse(task.stdout) as object)).toEqual(["task"]);
    expect(documentOf.sent(task.stdout).task?.artifacts?.[0]?.parts[0]).toMatchObject({
      filename: "report.csv",
      mediaType: "text/csv",
    });
  });

  it("writes an event of the protocol on each line of a stream, the last with ids and state", async () => {
    const [json, text, one] = await Promise.all([
      run("send", "stream 3 1", "--stream", "-o", "json"),
      run("send", "stream 3 1", "--stream"),
      run("send", "echo hi", "--stream", "-o", "json"),
    ]);
    const events = documentOf.events(json.stdout);
    const chunks = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
    expect(chunks.map((part) => part.text).join("")).toBe("chunk 1 chunk 2 chunk 3 ");
    expect(events.at(-1)?.statusUpdate).toMatchObject({
      taskId: events[0]?.task?.id,
      contextId: events[0]?.task?.contextId,
      status: { state: "TASK_STATE_COMPLETED" },
    });
    expect(text.stdout).toContain(
      "Text:\nchunk 1 chunk 2 chunk 3 \n\nState: TASK_STATE_COMPLETED\n",
    );
    expect(documentOf.events(one.stdout)).toMatchObject([{ message: { parts: [{ text: "hi" }] } }]);
  });

  it("takes parts in their order, with a media type for the part before it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-parts-"));
    await writeFile(join(folder, "notes.md"), "# Notes");
    await writeFile(join(folder, "bare"), "bytes");
    const parts = ["--file", "notes.md", "--text", "second", "--media-type", "text/x-poem"];
    const more = ["--data", "-", "--file", "bare", "--file", "https://example.com/a.pdf"];
    const sent = await parley(
      ["send", ...at, "flight", ...parts, ...more, "-o", "json", "--metadata", '{"a":1}'],
      { cwd: folder, input: '{"answer":42}' },
    );
    expect(sent).toMatchObject({ code: 0, stderr: "" });
    const { task } = documentOf.sent(sent.stdout);
    expect(task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(task?.history?.[0]?.parts).toEqual([
      { text: "flight" },
      { raw: "IyBOb3Rlcw==", mediaType: "text/markdown", filename: "notes.md" },
      { text: "second", mediaType: "text/x-poem" },
      { data: { answer: 42 } },
      { raw: "Ynl0ZXM=", mediaType: "application/octet-stream", filename: "bare" },
      { url: "https://example.com/a.pdf", mediaType: "application/pdf", filename: "a.pdf" },
    ]);
  });

  it("is done whatever becomes of the task, and stops at once where the agent asks", async () => {
    const commands = ["fail", "reject", "flight", "auth"];
    const ran = await Promise.all(commands.map((word) => run("send", word)));
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(ran.map(({ stdout }) => labeled(stdout, "State"))).toEqual([
      "TASK_STATE_FAILED",
      "TASK_STATE_REJECTED",
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_AUTH_REQUIRED",
    ]);
    for (const { stdout } of ran.slice(2)) {
      const [task, context] = [labeled(stdout, "Task ID"), labeled(stdout, "Context ID")];
      const next = `parley send -a ${demo.url} --task-id ${task} --context-id ${context} "…"`;
      expect(labeled(stdout, "Next")).toBe(next);
    }
  });

  it("continues a task by its id, and never begins another in place of one that is refused", async () => {
    const { task } = documentOf.sent((await run("send", "flight", "-o", "json")).stdout);
    const id = task?.id ?? "";
    await run("send", "Berlin", "--task-id", id);
    const [done, refused] = await Promise.all([
      run("send", "May", "--task-id", id, "--context-id", task?.contextId ?? ""),
      run("send", "hello", "--task-id", "none", "-o", "json"),
    ]);
    expect(labeled(done.stdout, "Task ID")).toBe(id);
    expect(done.stdout).toContain('Data:\n{\n  "confirmationId": "XYZ123"');
    expect(refused.code).toBe(1);
    expect(documentOf.error(refused.stdout)).toMatchObject({
      code: "TaskNotFoundError",
      a2aCode: -32001,
      hint: `parley task list -a ${demo.url}`,
    });
  });

  it("returns the ids at once with --async and its other names", async () => {
    const flags = ["--async", "--return-immediately", "--no-wait"];
    const ran = await Promise.all(flags.map((flag) => run("send", "wait 900", flag, "-o", "json")));
    const tasks = ran.map(({ stdout }) => documentOf.sent(stdout).task);
    for (const task of tasks) expect(task?.status.state).toMatch(/SUBMITTED|WORKING/);
    await Promise.all(tasks.map((task) => run("task cancel", task?.id ?? "")));
  });

  it("gives up after --timeout with 5, and says how to go on waiting", async () => {
    const [json, text] = await Promise.all([
      run("send", "wait 900", "--timeout", "700ms", "-o", "json"),
      run("send", "wait 900", "--timeout", "700ms", "--stream"),
    ]);
    expect([json.code, text.code]).toEqual([5, 5]);
    const error = documentOf.error(json.stdout);
    expect(error).toMatchObject({ code: "A2ACLI_ERR_TIMEOUT", a2aCode: null });
    expect(error.hint).toMatch(/^parley task (?:get -a \S+ \S+ --wait|list -a \S+)$/);
    expect(text.stderr).toContain(
      "Error: send was not done within 700ms (--timeout)\nHint: parley task",
    );
  });
});

describe("task", () => {
  it("is read, listed, followed, canceled and refused", async () => {
    const [sent] = await Promise.all([
      run("send", "wait 900", "--async", "-o", "json"),
      run("send", "task another"),
    ]);
    const id = documentOf.sent(sent.stdout).task?.id ?? "";
    const followed = run("task subscribe", id, "-o", "json", "--stream");
    const waited = run("task get", id, "--wait", "-o", "json");
    const [got, listed, text] = await Promise.all([
      run("task get", id, "-o", "json", "--history", "1"),
      run("task list", "--state", "working", "--page-size", "100", "-o", "json"),
      run("task list", "--page-size", "1"),
    ]);
    expect(documentOf.task(got.stdout)).toMatchObject({
      id,
      status: { state: "TASK_STATE_WORKING" },
    });
    const page = documentOf.tasks(listed.stdout);
    expect(page.tasks.map((task) => task.id)).toContain(id);
    expect(labeled(text.stdout, "Next")).toMatch(
      /^parley task list -a \S+ --page-size 1 --page-token \S+$/,
    );
    const canceled = await run("task cancel", id, "-o", "json");
    expect(documentOf.task(canceled.stdout).status.state).toBe("TASK_STATE_CANCELED");
    const last = documentOf.events((await followed).stdout).at(-1);
    expect((last?.statusUpdate ?? last?.task)?.status.state).toBe("TASK_STATE_CANCELED");
    expect(documentOf.task((await waited).stdout).status.state).toBe("TASK_STATE_CANCELED");
    const [again, ended, missing, verbose] = await Promise.all([
      run("task cancel", id),
      run("task subscribe", id),
      run("task get", "none"),
      run("task get", id, "--verbose"),
    ]);
    expect(labeled(verbose.stdout, "Time")).toMatch(/^\d{4}-/);
    expect(verbose.stdout).toMatch(/^User message: \S+\nText:\nwait 900\n$/m);
    expect(again.stdout).not.toMatch(/^(?:Time|User message):/m);
    expect(labeled(again.stdout, "State")).toBe("TASK_STATE_CANCELED");
    expect(labeled(ended.stdout, "State")).toBe("TASK_STATE_CANCELED");
    expect(missing.code).toBe(1);
    expect(missing.stderr).toMatch(
      /^Error: .*\nCode: TaskNotFoundError\nHint: parley task list -a \S+\n$/,
    );
  });

  it("is downloaded into files, which are not replaced unasked", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-download-"));
    const { task } = documentOf.sent((await run("send", "file", "-o", "json")).stdout);
    const download = (...more: readonly string[]) =>
      run("task download", task?.id ?? "", "-d", folder, ...more);
    const first = await download();
    expect(labeled(first.stdout, "File")).toBe(join(folder, "report.csv"));
    expect(await readFile(join(folder, "report.csv"), "utf8")).toBe("name,value\nanswer,42\n");
    const [second, forced] = await Promise.all([download(), download("--force")]);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toContain("--force replaces it");
    expect(forced.code).toBe(0);
    expect(await readdir(folder)).toEqual(["report.csv"]);
  });

  it("has webhooks that are created, read, listed and deleted", async () => {
    const { task } = documentOf.sent((await run("send", "flight", "-o", "json")).stdout);
    const id = task?.id ?? "";
    const url = "https://example.com/hook";
    const created = await run(
      "task push-config create",
      id,
      "--url",
      url,
      "--token",
      "hush",
      "-o",
      "json",
    );
    const config = documentOf.config(created.stdout);
    expect(config).toMatchObject({ taskId: id, url });
    const own = config.id ?? "";
    const [got, listed] = await Promise.all([
      run("task push-config get", id, own),
      run("task push-config list", id, "-o", "json"),
    ]);
    expect([labeled(got.stdout, "URL"), labeled(got.stdout, "Configuration ID")]).toEqual([
      url,
      own,
    ]);
    expect(got.stdout).not.toContain("hush");
    expect(documentOf.configs(listed.stdout).configs?.map((one) => one.id)).toEqual([own]);
    expect((await run("task push-config delete", id, own)).code).toBe(0);
    const after = await run("task push-config list", id);
    expect(labeled(after.stdout, "Configurations")).toBe("0");
  });
});

describe("the way to the agent", () => {
  it("is the first binding of --transport that the card has", async () => {
    const [grpc, rest, both] = await Promise.all([
      run("send", "echo hi", "--transport", "grpc", "--debug"),
      run("send", "echo hi", "--transport", "HTTP+JSON", "--debug"),
      parley(["send", ...at, "echo hi", "--debug"], { env: { A2ACLI_TRANSPORT: "rest,grpc" } }),
    ]);
    expect([grpc.code, rest.code, both.code]).toEqual([0, 0, 0]);
    expect(grpc.stderr).toContain("> sendStreamingMessage {");
    expect(rest.stderr).toContain("/message:stream");
    expect(both.stderr).toContain("/message:stream");
    for (const { stdout } of [grpc, rest, both]) expect(stdout).toContain("Text:\nhi\n\n");
  });

  it("carries the version and the service parameters with each request", async () => {
    // A process of its own has no card from before.
    const args = ["send", ...at, "echo hi", "--svc-param", "X-Trace: 42", "--debug"];
    const { stderr } = await parley(args);
    const requests = stderr.split(/^> (?=GET|POST)/m).slice(1);
    expect(requests).toHaveLength(2);
    for (const request of requests) expect(request).toMatch(/^> a2a-version: 1\.0$/m);
    expect(requests[1]).toMatch(/^> x-trace: 42$/m);
  });

  it("goes below 1.0 only when it is asked to, and the hint says how", async () => {
    const card = (await (await fetch(`${demo.url}/.well-known/agent-card.json`)).json()) as {
      supportedInterfaces: readonly { protocolVersion: string }[];
    };
    const folder = await mkdtemp(join(tmpdir(), "parley-card-"));
    const path = join(folder, "card.json");
    const old = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === "0.3");
    await writeFile(path, JSON.stringify({ ...card, supportedInterfaces: old }));
    const [refused, asked] = await Promise.all([
      runHere("send", "-a", path, "echo hi", "-o", "json"),
      runHere("send", "-a", path, "echo hi", "--a2a-version", "0.3", "--debug"),
    ]);
    expect(refused.code).toBe(1);
    expect(documentOf.error(refused.stdout)).toMatchObject({
      code: "VersionNotSupportedError",
      a2aCode: -32009,
      hint: `parley send 'echo hi' -a ${path} -o json --a2a-version 0.3`,
    });
    expect(asked.stdout).toContain("Text:\nhi\n\n");
    expect(asked.stderr).toContain('"method":"message/stream"');
  });
});
