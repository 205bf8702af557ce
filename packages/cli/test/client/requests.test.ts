import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { authenticatorOf } from "../../../a2a/test/support/auth/authenticator-of.js";
import { openDemo } from "../../../a2a/test/support/servers/open-demo.js";
import { runHere } from "../run-here.js";
import { documentOf, labeled, parley } from "./parley.js";
import { cardAt, openScriptedAgent, taskIn } from "./scripted-agent.js";
import type { ReceivedCall } from "./scripted-agent.js";

const messageOf = ({ params }: ReceivedCall) => params["message"] as Record<string, unknown>;

describe("what a command sends", () => {
  it("has the metadata and the ids of the command line, and no id that nobody gave", async () => {
    await using agent = await openScriptedAgent({
      answer: ({ params }) => {
        const { taskId } = (params["message"] ?? {}) as { taskId?: string };
        return { task: taskIn("INPUT_REQUIRED", taskId === undefined ? {} : { id: taskId }) };
      },
    });
    const folder = await mkdtemp(join(tmpdir(), "parley-stateless-"));
    const send = (...more: readonly string[]) =>
      parley(["send", "hi", "-a", agent.url, ...more], {
        cwd: folder,
        env: { XDG_CONFIG_HOME: folder, HOME: folder },
      });
    const own = ["--context-id", "c 1", "--task-id", "t 1", "--metadata", '{"a":{"b":[1,null]}}'];
    await send();
    await Promise.all([send(), send(...own)]);
    const isOwn = (call: ReceivedCall) => "taskId" in messageOf(call);
    const [third] = agent.calls.filter(isOwn);
    const [first, second] = agent.calls.filter((call) => !isOwn(call));
    for (const call of [first, second]) {
      expect(Object.keys(messageOf(call as ReceivedCall)).toSorted()).toEqual([
        "messageId",
        "parts",
        "role",
      ]);
      expect(call?.params["metadata"]).toBeUndefined();
    }
    expect(messageOf(third as ReceivedCall)).toMatchObject({ contextId: "c 1", taskId: "t 1" });
    expect(third?.params["metadata"]).toEqual({ a: { b: [1, null] } });
    // Nothing is remembered: no file was written.
    expect(await readdir(folder, { recursive: true })).toEqual([]);
  });

  it.each(["JSONRPC", "HTTP+JSON", "GRPC"])(
    "has the version and the service parameters over %s",
    async (binding) => {
      const seen: (string | null | undefined)[][] = [];
      const names = ["a2a-version", "x-trace", "x-more", "authorization"];
      await using server = await openDemo({
        grpc: { port: 0, inCard: true },
        auth: authenticatorOf(async (credentials) => {
          seen.push(names.map((name) => credentials.header(name)));
          return { subject: "ada" };
        }),
      });
      const own = ["--svc-param", "X-Trace:42", "--svc-param", "X-More: a, b: c"];
      const how = ["-a", server.url, "--transport", binding, ...own];
      const sent = await runHere("send", "task a", ...how, "-o", "json");
      expect([sent.code, sent.stderr]).toEqual([0, ""]);
      const id = documentOf.sent(sent.stdout).task?.id ?? "";
      await runHere("task", "get", id, ...how);
      expect(seen.length).toBeGreaterThan(1);
      for (const [version, ...rest] of seen) {
        expect(version).toBe("1.0");
        expect(rest.slice(0, 2)).toEqual(["42", "a, b: c"]);
      }
    },
  );

  it("goes by the first interface of the card that the tool knows, unless --transport orders otherwise", async () => {
    await using demo = await openDemo();
    const at = (protocolBinding: string) => ({
      url: demo.url,
      protocolBinding,
      protocolVersion: "1.0",
    });
    const folder = await mkdtemp(join(tmpdir(), "parley-order-"));
    const path = join(folder, "card.json");
    const supportedInterfaces = [at("CARRIER-PIGEON"), at("HTTP+JSON"), at("JSONRPC")];
    const card = cardAt(demo.url, { supportedInterfaces, capabilities: { streaming: true } });
    await writeFile(path, JSON.stringify(card));
    const send = (...more: readonly string[]) =>
      runHere("send", "echo hi", "-a", path, "--debug", ...more);
    const [plain, ordered, missing, unknown] = await Promise.all([
      send(),
      send("--transport", "grpc", "--transport", "jsonrpc", "--transport", "rest"),
      send("--transport", "GRPC"),
      send("--transport", "pigeon", "-o", "json"),
    ]);
    expect(plain.stderr).toContain(`> POST ${demo.url}/message:stream\n`);
    expect(ordered.stderr).toContain('"method":"SendStreamingMessage"');
    expect(missing.stderr).toMatch(
      /^Warning: the card does not offer GRPC; calls it by HTTP\+JSON$/m,
    );
    for (const { stdout } of [plain, ordered, missing]) expect(stdout).toContain("Text:\nhi\n\n");
    expect([unknown.code, documentOf.error(unknown.stdout).code]).toEqual([2, "A2ACLI_ERR_USAGE"]);
  });

  it("shows a version error of the agent as such, and tries no other version", async () => {
    await using agent = await openScriptedAgent({
      answer: () => ({ error: { code: -32_009, message: "1.0 is not spoken here" } }),
    });
    const { code, stdout } = await runHere("send", "hi", "-a", agent.url, "-o", "json");
    expect(code).toBe(1);
    expect(documentOf.error(stdout)).toMatchObject({
      code: "VersionNotSupportedError",
      message: expect.stringContaining("1.0 is not spoken here") as string,
      a2aCode: -32_009,
    });
    expect(agent.calls.map(({ headers }) => headers["a2a-version"])).toEqual(["1.0"]);
  });
});

describe("waiting", () => {
  it.each(["INPUT_REQUIRED", "AUTH_REQUIRED"])(
    "ends at %s, by polling and by a stream, in every command that waits",
    async (state) => {
      const begun = { jsonrpc: "2.0", id: 1, result: { task: taskIn("WORKING") } };
      const asked = { jsonrpc: "2.0", id: 1, result: { task: taskIn(state) } };
      for (const streaming of [false, true]) {
        await using agent = await openScriptedAgent({
          card: { capabilities: { streaming } },
          answer: ({ method }, count) => {
            if (method === "SendStreamingMessage") return { events: [begun, asked] };
            if (method === "SubscribeToTask") return { events: [begun, asked] };
            const task = taskIn(count % 2 === 1 ? "WORKING" : state);
            return method === "SendMessage" ? { task } : task;
          },
        });
        const quick = ["-a", agent.url, "--poll-interval", "20ms", "--timeout", "20s"];
        for (const command of [
          ["send", "hi"],
          ["send", "hi", "--stream"],
          ["task", "get", "t", "--wait"],
          ["task", "subscribe", "t"],
        ]) {
          const { code, stdout } = await runHere(...command, ...quick);
          expect([command, code]).toEqual([command, 0]);
          expect(stdout.match(/^State: .*$/gm)?.at(-1)).toBe(`State: TASK_STATE_${state}`);
          expect(labeled(stdout, "Next")).toMatch(
            /^parley send -a \S+ --task-id t --context-id c "…"$/,
          );
        }
      }
    },
  );
});

describe("task get", () => {
  it("shows artifacts always, and as much of the history as it is asked for", async () => {
    await using demo = await openDemo();
    const at = ["-a", demo.url];
    const { task } = documentOf.sent((await runHere("send", "flight", ...at, "-o", "json")).stdout);
    const id = task?.id ?? "";
    await runHere("send", "Berlin", "--task-id", id, ...at);
    await runHere("send", "May", "--task-id", id, ...at);
    const get = (...more: readonly string[]) => runHere("task", "get", id, ...at, ...more);
    const [plain, none, two] = await Promise.all([
      get(),
      get("--history", "0", "-o", "json"),
      get("--history", "2"),
    ]);
    expect(plain.stdout).toContain("Artifact: itinerary (FlightItinerary.json)\nData:\n{\n");
    expect(plain.stdout).not.toMatch(/^User message:/m);
    const read = documentOf.task(none.stdout);
    expect([read.history ?? [], read.artifacts?.length]).toEqual([[], 2]);
    expect(two.stdout.match(/^(?:User|Agent) message:/gm)).toHaveLength(2);
  });
});
