import { once } from "node:events";
import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../src/demo-agent.js";
import { startParley } from "../client/parley.js";
import { runHere } from "../run-here.js";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let agent: Server;
let folder: string;
let log: string;
let received: Received[];
let status: number;
const receiver = createServer((request, response) => {
  void buffer(request).then((body) => {
    received.push({ headers: request.headers, body: body.toString() });
    response.writeHead(status).end();
  });
});
let hook: string;

beforeAll(async () => {
  agent = await serve(demoAgent, {
    port: 0,
    store: createMemoryStore(),
    grpc: false,
    push: { allowPrivate: true },
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  folder = await mkdtemp(join(tmpdir(), "parley-listen-"));
  log = join(folder, "events.jsonl");
});

beforeEach(() => {
  received = [];
  status = 204;
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
  await rm(folder, { recursive: true });
});

function listen(...more: readonly string[]) {
  return runHere("listen", "--event-log", log, ...more);
}

interface Line {
  readonly id: string;
  readonly taskId: string;
  readonly signature: string;
  readonly forwarded?: { readonly status?: number };
}

function linesOf(stdout: string): readonly Line[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

describe("parley listen", () => {
  it("registers, verifies, shows a line for each notification, and passes them on as they came", async () => {
    const sent = ["--message", "task hello", "--count", "3", "-o", "json"];
    const { code, stdout } = await listen("-a", agent.url, "--forward-to", hook, ...sent);
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    expect(lines.map(({ signature }) => signature)).toEqual(["verified", "verified", "verified"]);
    expect(lines.map(({ forwarded }) => forwarded?.status)).toEqual([204, 204, 204]);
    expect(received.map(({ headers }) => headers["x-a2a-notification-id"])).toEqual(
      lines.map(({ id }) => id),
    );
    expect(JSON.parse(received[0]?.body ?? "")).toHaveProperty("task.id", lines[0]?.taskId);
    const { service } = await connect(agent.url);
    const left = await service.listTaskPushNotificationConfigs({ taskId: lines[0]?.taskId ?? "" });
    expect(left.configs ?? []).toEqual([]);
  });

  it("sends a notification again by its id, from a file that nobody else may read", async () => {
    const sent = ["--message", "task again", "--count", "1", "-o", "json"];
    const [line] = linesOf((await listen("-a", agent.url, ...sent)).stdout);
    expect(received).toEqual([]);
    const again = await listen("--resend", line?.id ?? "", "--forward-to", hook);
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Resent: .*: HTTP 204/) as string,
    });
    expect(received.map(({ headers }) => headers["x-a2a-notification-id"])).toEqual([line?.id]);
    expect(statSync(log).mode & 0o777).toBe(0o600);
    status = 500;
    expect(await listen("--resend", line?.id ?? "", "--forward-to", hook)).toMatchObject({
      code: 1,
    });
    expect(await listen("--resend", "none", "--forward-to", hook)).toMatchObject({ code: 2 });
  });

  it("answers with the status of the receiver, so that the agent sends again", async () => {
    status = 503;
    const sent = ["--message", "task twice", "--count", "2", "-o", "json"];
    const { stdout } = await listen("-a", agent.url, "--forward-to", hook, ...sent);
    const [first, second] = linesOf(stdout);
    expect(second?.id).toBe(first?.id);
  });

  it("refuses what has another token, and stops on a signal, as a process of its own", async () => {
    const child = startParley(["listen", "--token", "right", "--event-log", log]);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    await expect.poll(() => stdout).toMatch(/^Token: right$/m);
    const url = /^Webhook: (.*)$/m.exec(stdout)?.[1] ?? "";
    const wrong = await runHere("trigger", "failed", "--url", url, "--token", "wrong");
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining("HTTP 401") as string });
    const right = await runHere("trigger", "failed", "--url", url, "--token", "right");
    expect(right.code).toBe(0);
    await expect.poll(() => stdout).toMatch(/^Event: .*: status failed, not signed$/m);
    expect(stderr).toMatch(/^Refused: the notification has another token/m);
    child.kill("SIGINT");
    await once(child, "close");
    expect(child.exitCode).toBe(0);
  });
});

describe("parley trigger", () => {
  it.each([
    "working",
    "completed",
    "failed",
    "canceled",
    "rejected",
    "input-required",
    "auth-required",
  ])("brings a task of the demo agent into the state %s", async (state) => {
    const { code, stdout } = await runHere("trigger", state, "-a", agent.url);
    const name = `TASK_STATE_${state.toUpperCase().replace("-", "_")}`;
    expect(stdout).toMatch(new RegExp(`^State: ${name}$`, "m"));
    expect(code).toBe(0);
  });

  it("says that a task did not get into the state, and exits with 1", async () => {
    const { code, stderr } = await runHere(
      "trigger",
      "failed",
      "-a",
      agent.url,
      "--message",
      "task a",
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Warning: the task is not failed; give --message/m);
  });

  it("shows the task with the command that continues it, and says so where there is none", async () => {
    const { stdout } = await runHere("trigger", "input-required", "-a", agent.url);
    expect(stdout).toMatch(/^Next: parley send -a http\S+ --task-id \S+/m);
    const message = ["--message", "echo hi"];
    const { code, stderr } = await runHere("trigger", "completed", "-a", agent.url, ...message);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: the agent answered with a message/m);
  });

  it("tells a webhook in the version that is asked for", async () => {
    await runHere("trigger", "completed", "--url", hook, "--token", "secret");
    await runHere("trigger", "completed", "--url", hook, "--a2a-version", "0.3");
    const states = received.map(({ body }) => JSON.parse(body) as Record<string, never>);
    expect(states[3]).toMatchObject({
      statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } },
    });
    expect(states[7]).toMatchObject({ kind: "task", status: { state: "completed" } });
    expect(received[0]?.headers["x-a2a-notification-token"]).toBe("secret");
  });

  it("names the states where one is not known", async () => {
    const { code, stderr } = await runHere("trigger", "done", "-a", agent.url);
    expect(code).toBe(2);
    expect(stderr).toContain("choose one of submitted, working, completed");
  });
});
