import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  extendedSdkName,
  openSdk02,
  openSdk03,
  openSdk10,
} from "../../../a2a/test/client/sdk-servers.js";
import { runHere } from "../run-here.js";
import { documentOf, labeled, parley } from "./parley.js";

// The SDKs write to the console whatever they refuse.
for (const method of ["error", "warn", "log"] as const) {
  vi.spyOn(console, method).mockImplementation(() => undefined);
}

const servers = [
  { sdk: "1.3.0", open: openSdk10, version: "1.0" },
  { sdk: "0.3.14", open: openSdk03, version: "0.3" },
  { sdk: "0.2.5", open: openSdk02, version: "0.2" },
] as const;

describe.each(servers)("an agent of the official SDK $sdk", ({ open, version }) => {
  it("answers the commands, in its own version when that is asked for", async () => {
    await using server = await open();
    const at = ["-a", server.url, "--a2a-version", version];
    const run = (command: string, ...args: readonly string[]) =>
      runHere(...command.split(" "), ...at, ...args);

    const [card, message, streamed, asked, waiting] = await Promise.all([
      run("card get", "-o", "json"),
      run("send", "echo hello", "-o", "json"),
      parley(["send", ...at, "stream 3 1", "--stream", "-o", "json"]),
      parley(["send", ...at, "ask"]),
      run("send", "wait", "--async", "-o", "json"),
    ]);
    expect(documentOf.card(card.stdout).supportedInterfaces[0]?.protocolVersion).toContain(version);
    expect(documentOf.sent(message.stdout).message?.parts[0]?.text).toBe("hello");
    const events = documentOf.events(streamed.stdout);
    const chunks = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
    expect(chunks.map((part) => part.text).join("")).toBe("chunk 1 chunk 2 chunk 3 ");
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(labeled(asked.stdout, "State")).toBe("TASK_STATE_INPUT_REQUIRED");

    // What the first command prints is what continues.
    const next = labeled(asked.stdout, "Next") ?? "";
    expect(next).toMatch(
      /^parley send -a \S+ --a2a-version \S+ --task-id \S+ --context-id \S+ "…"$/,
    );
    const { task } = documentOf.sent(waiting.stdout);
    const id = task?.id ?? "";
    const [continued, got, canceled, missing, listed, hook] = await Promise.all([
      parley([...next.split(" ").slice(1, -1), "Ada"]),
      run("task get", id, "-o", "json"),
      run("task cancel", id, "-o", "json"),
      run("task get", "none", "-o", "json"),
      run("task list", "-o", "json"),
      run("task push-config create", id, "--url", "https://example.com/hook", "-o", "json"),
    ]);
    expect(continued.stdout).toContain("Text:\nYou said: Ada\n\n");
    expect(documentOf.task(got.stdout).id).toBe(id);
    // 0.2.5 answers before its agent has stopped.
    const canceledState = version === "0.2" ? /CANCELED|WORKING/ : /CANCELED/;
    expect(documentOf.task(canceled.stdout).status.state).toMatch(canceledState);
    expect(missing.code).toBe(1);
    expect(documentOf.error(missing.stdout)).toMatchObject({
      code: "TaskNotFoundError",
      a2aCode: -32001,
    });
    expect(documentOf.config(hook.stdout)).toMatchObject({
      taskId: id,
      url: "https://example.com/hook",
    });
    if (version === "1.0") {
      expect(documentOf.tasks(listed.stdout).tasks.map((one) => one.id)).toContain(id);
    } else {
      expect(listed.code).toBe(1);
      expect(documentOf.error(listed.stdout).code).toBe("UnsupportedOperationError");
    }

    // It is not called in an older version unless that is asked for.
    const unasked = await runHere("send", "-a", server.url, "echo hi", "-o", "json");
    expect(unasked.code).toBe(version === "1.0" ? 0 : 1);
    if (version === "1.0") return;
    expect(documentOf.error(unasked.stdout)).toMatchObject({
      code: "VersionNotSupportedError",
      hint: `parley send 'echo hi' -a ${server.url} -o json --a2a-version ${version}`,
    });
  });

  it("has its tasks followed, waited for, downloaded and watched, and is talked with", async () => {
    await using server = await open();
    const folder = await mkdtemp(join(tmpdir(), "parley-official-"));
    const at = ["-a", server.url, "--a2a-version", version];
    const run = (command: string, ...args: readonly string[]) =>
      runHere(...command.split(" "), ...at, ...args);

    const begun = await run("send", "wait", "--async", "-o", "json");
    const id = documentOf.sent(begun.stdout).task?.id ?? "";
    const followed = run("task subscribe", id, "--stream", "-o", "json");
    const waited = run("task get", id, "--wait", "--poll-interval", "50ms", "-o", "json");
    const url = "https://example.com/hook";
    const created = await run("task push-config create", id, "--url", url, "-o", "json");
    const own = documentOf.config(created.stdout).id ?? "";
    const hooks = [
      await run("task push-config get", id, own, "-o", "json"),
      await run("task push-config list", id, "-o", "json"),
      await run("task push-config delete", id, own, "-o", "json"),
    ];
    expect(documentOf.config(hooks[0]?.stdout ?? "").url).toBe(url);
    if (version === "0.2") {
      // 0.2.5 knows how to set and to get one, and no more.
      const refused = hooks.slice(1).map(({ stdout }) => documentOf.error(stdout).code);
      expect(refused).toEqual(["MethodNotFoundError", "MethodNotFoundError"]);
    } else {
      const { configs } = documentOf.configs(hooks[1]?.stdout ?? "");
      expect(configs?.map((one) => one.url)).toEqual([url]);
      expect([hooks[2]?.code, JSON.parse(hooks[2]?.stdout ?? "")]).toEqual([0, {}]);
    }
    await run("task cancel", id);
    const last = documentOf.events((await followed).stdout).at(-1);
    expect((last?.statusUpdate ?? last?.task)?.status.state).toBe("TASK_STATE_CANCELED");
    expect(documentOf.task((await waited).stdout).status.state).toBe("TASK_STATE_CANCELED");

    const done = await run("send", "hello", "-o", "json");
    const { task } = documentOf.sent(done.stdout);
    const valid = await run("card get", "--validate");
    expect([valid.code, valid.stderr, labeled(valid.stdout, "Valid")]).toEqual([0, "", "yes"]);
    const [saved, history, extended] = await Promise.all([
      run("task download", task?.id ?? "", "-d", folder),
      run("task get", task?.id ?? "", "--history", "5", "-o", "json"),
      run("card get", "--extended", "-o", "json"),
    ]);
    expect(labeled(saved.stdout, "File")).toBe(join(folder, "answer.txt"));
    expect(await readFile(join(folder, "answer.txt"), "utf8")).toBe("You said: hello");
    expect(documentOf.task(history.stdout).history?.[0]?.parts).toEqual([{ text: "hello" }]);
    if (version === "0.2") expect(extended.code).toBe(1);
    else expect(documentOf.card(extended.stdout).name).toBe(extendedSdkName);

    const chat = await parley(["chat", ...at], { input: "ask\nAda\n" });
    expect(chat).toMatchObject({ code: 0, stderr: "" });
    expect(new Set(chat.stdout.match(/^Task ID: .*$/gm)).size).toBe(1);
    expect(chat.stdout).toContain("Text:\nYou said: Ada\n\n");
  });
});
