import { describe, expect, it } from "vitest";
import { apiKey, createAuthenticator, hashKey } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import type { ServeOptions } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent, extendedDemoAgent } from "../../src/demo-agent.js";
import type { Diagnosis } from "@parley/inspector/probe";
import { parley } from "../client/parley.js";
import { openFront } from "./open-front.js";

const message = ["--message", "stream 3 40"];

function open(options: ServeOptions = {}, agent = demoAgent) {
  const store = createMemoryStore();
  return serve(agent, { port: 0, store, grpc: { port: 0, inCard: true }, ...options });
}

interface Report {
  readonly counts: Readonly<Record<string, number>>;
  readonly diagnoses: readonly Diagnosis[];
}

function read(stdout: string): Report {
  return JSON.parse(stdout) as Report;
}

describe("parley doctor", () => {
  it.each([{ strict: false }, { strict: true }])(
    "finds nothing wrong with our own server, in any binding and version ($strict)",
    async ({ strict }) => {
      await using server = await open({ strict });
      const { code, stdout } = await parley(["doctor", server.url, ...message, "-o", "json"]);
      const { diagnoses } = read(stdout);
      const wrong = diagnoses.filter(({ verdict }) => verdict === "error" || verdict === "warn");
      expect(wrong).toEqual([]);
      expect(code).toBe(0);
      const called = new Set(diagnoses.flatMap((one) => one.interface ?? []));
      expect([...called]).toEqual(
        expect.arrayContaining(["JSONRPC 1.0", "HTTP+JSON 0.3", "GRPC 1.0"]),
      );
      const streams = diagnoses.filter(({ check }) => check === "stream");
      expect(streams.map(({ verdict }) => verdict)).toEqual(streams.map(() => "ok"));
    },
  );

  it("finds nothing wrong with a server that wants keys, with a key and without", async () => {
    const key = "a key of twenty letters or more";
    const latest = ["--a2a-version", "1.0"];
    const keys = [{ subject: "ada", hash: await hashKey(key) }];
    const auth = createAuthenticator({
      schemes: { key: apiKey({ in: "header", name: "X-API-Key", keys }) },
    });
    await using server = await open({ auth }, extendedDemoAgent);
    const known = await parley(["doctor", server.url, ...message, "--api-key", key, "-o", "json"]);
    const stranger = await parley(["doctor", server.url, ...message, ...latest, "-o", "json"]);
    for (const { code, stdout } of [known, stranger]) {
      expect(read(stdout).counts).toMatchObject({ error: 0, warn: 0 });
      expect(code).toBe(0);
    }
    const sent = (stdout: string) =>
      read(stdout).diagnoses.find(({ check }) => check === "send")?.verdict;
    expect([sent(known.stdout), sent(stranger.stdout)]).toEqual(["ok", "skipped"]);
    expect(known.stdout).not.toContain(key);
  });

  it("leaves no task at work and no webhook behind, and with --read-only no task at all", async () => {
    await using server = await open();
    const one = ["--a2a-version", "1.0", "--transport", "jsonrpc"];
    await parley(["doctor", server.url, "--read-only", ...one]);
    expect(await listTasks(server.url)).toEqual([]);
    await parley(["doctor", server.url, "--message", "wait 60", "--call-timeout", "400ms", ...one]);
    const late = ["--message", "wait 60", "--timeout", "5s", ...one];
    expect(await parley(["doctor", server.url, ...late])).toMatchObject({ code: 5 });
    const states = (await listTasks(server.url)).map(({ status }) => status.state);
    expect(new Set(states)).toEqual(new Set(["TASK_STATE_CANCELED"]));
  });

  it("prints the fix of what it finds, and exits with 1", async () => {
    await using server = await open({ grpc: false });
    await using front = await openFront([server.url], { streams: "compress" });
    const { code, stdout } = await parley(["doctor", front.url]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Error: stream: the stream is compressed .*\nFix: exclude text\/event-stream/m,
    );
    expect(stdout).toMatch(/^Result: 1 error, 0 warnings, \d+ ok, \d+ skipped\n$/m);
  });

  it("says what every place has answered where there is no card, and exits with 3", async () => {
    await using server = await open({ grpc: false });
    await using front = await openFront([server.url], { cardPath: "/hidden.json" });
    const { code, stdout, stderr } = await parley(["doctor", front.url]);
    expect(code).toBe(3);
    expect(stdout).toBe("");
    expect(stderr).toContain(`${front.url}/.well-known/agent-card.json (HTTP 404)`);
    expect(stderr).toMatch(/^Hint: parley card get -a http/m);
  });
});

interface Listed {
  readonly status: { readonly state: string };
}

async function listTasks(url: string): Promise<readonly Listed[]> {
  const response = await fetch(`${url}/tasks`, { headers: { "A2A-Version": "1.0" } });
  return ((await response.json()) as { readonly tasks: readonly Listed[] }).tasks;
}
