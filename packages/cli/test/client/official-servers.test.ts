import { describe, expect, it, vi } from "vitest";
import { openSdk02, openSdk03, openSdk10 } from "../../../a2a/test/client/sdk-servers.js";
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
      hint: `parley send -a ${server.url} --a2a-version ${version}`,
    });
  });
});
