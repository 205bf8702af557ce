import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { JsonObject } from "@parley/a2a";
import { addSignature, signAgentCard } from "@parley/a2a/wire";
import { readTls } from "../../../a2a/test/support/files/tls.js";
import { runHere } from "../run-here.js";
import { documentOf, labeled, parley } from "./parley.js";
import { cardAt, openScriptedAgent, taskIn } from "./scripted-agent.js";

describe("waiting", () => {
  it("polls an agent that does not stream, and takes no unknown state for the end", async () => {
    const states = ["SUBMITTED", "UNSPECIFIED", "WORKING", "COMPLETED"];
    await using agent = await openScriptedAgent({
      answer: ({ method }, count) => {
        const task = taskIn(states[Math.min(count, states.length) - 1] ?? "");
        return method === "SendMessage" ? { task } : task;
      },
    });
    const { code, stdout } = await runHere(
      "send",
      "-a",
      agent.url,
      "hi",
      "--poll-interval",
      "50ms",
    );
    expect(code).toBe(0);
    expect(labeled(stdout, "State")).toBe("TASK_STATE_COMPLETED");
    expect(agent.calls.map(({ method }) => method)).toEqual([
      "SendMessage",
      "GetTask",
      "GetTask",
      "GetTask",
    ]);
  });

  it("waits longer from poll to poll while nothing changes", async () => {
    const times: number[] = [];
    await using agent = await openScriptedAgent({
      answer: (_, count) => {
        times.push(performance.now());
        return taskIn(count < 7 ? "WORKING" : "COMPLETED");
      },
    });
    const args = ["task get", "t", "-a", agent.url, "--wait", "--poll-interval", "100ms"];
    const { stdout } = await runHere(...args.flatMap((one) => one.split(" ")));
    expect(labeled(stdout, "State")).toBe("TASK_STATE_COMPLETED");
    // A busy machine makes pauses longer, never shorter. The last call reads the task for the output.
    const polls = times.slice(0, -1);
    const pauses = polls.slice(1).map((time, index) => time - (polls[index] ?? 0));
    expect(pauses.at(-1)).toBeGreaterThan(200);
  });

  it("goes on by polling when the stream breaks and cannot be resumed", async () => {
    const first = { jsonrpc: "2.0", id: 1, result: { task: taskIn("WORKING") } };
    await using agent = await openScriptedAgent({
      card: { capabilities: { streaming: true } },
      answer: ({ method }, count) => {
        if (method === "SendStreamingMessage") return { events: [first] };
        if (method === "SubscribeToTask") return { error: { code: -32004, message: "No" } };
        return taskIn(count < 5 ? "WORKING" : "COMPLETED");
      },
    });
    const args = [
      "send",
      "-a",
      agent.url,
      "hi",
      "--stream",
      "-o",
      "json",
      "--poll-interval",
      "50ms",
    ];
    const { code, stdout } = await runHere(...args);
    expect(code).toBe(0);
    const last = documentOf.events(stdout).at(-1);
    expect((last?.task ?? last?.statusUpdate)?.status.state).toBe("TASK_STATE_COMPLETED");
    const methods = agent.calls.map(({ method }) => method);
    expect(methods.filter((one) => one === "SendStreamingMessage")).toHaveLength(1);
    expect(methods.filter((one) => one === "GetTask").length).toBeGreaterThan(1);
  });

  it.each([
    ["task subscribe t --stream", "breaks", false],
    ["task get t --wait", "breaks", false],
    ["task subscribe t", "is refused", true],
    ["task get t --wait", "is refused", true],
  ])("goes on by polling in %s when the stream %s", async (command, _, isRefused) => {
    const first = { jsonrpc: "2.0", id: 1, result: { task: taskIn("WORKING") } };
    let streams = 0;
    await using agent = await openScriptedAgent({
      card: { capabilities: { streaming: true } },
      answer: ({ method }, count) => {
        if (method !== "SubscribeToTask") return taskIn(count < 6 ? "WORKING" : "COMPLETED");
        streams += 1;
        // A stream that breaks has one event, and cannot be resumed.
        const isOpened = !isRefused && streams === 1;
        return isOpened ? { events: [first] } : { error: { code: -32_004, message: "No" } };
      },
    });
    const how = ["-a", agent.url, "--poll-interval", "20ms", "--timeout", "30s"];
    const { code, stdout } = await runHere(...command.split(" "), ...how);
    expect(code).toBe(0);
    expect(stdout.match(/^State: .*$/gm)?.at(-1)).toBe("State: TASK_STATE_COMPLETED");
    expect(agent.calls.filter(({ method }) => method === "GetTask").length).toBeGreaterThan(1);
  });

  it("refuses an agent that answers for another task than the one that was continued", async () => {
    await using agent = await openScriptedAgent({ answer: () => ({ task: taskIn("COMPLETED") }) });
    const { code, stdout } = await runHere(
      "send",
      "-a",
      agent.url,
      "hi",
      "--task-id",
      "mine",
      "-o",
      "json",
    );
    expect(code).toBe(1);
    expect(documentOf.error(stdout).code).toBe("InvalidAgentResponseError");
    expect(agent.calls).toHaveLength(1);
  });
});

describe("output", () => {
  it("has no control sequences, whatever the agent says and wherever it goes", async () => {
    const parts = [{ text: "\u001B[31mred\u001B[0m\u0007 and\r\nplain\tagain\u009B2J" }];
    await using agent = await openScriptedAgent({
      card: { name: "\u001B]0;title\u0007Evil", description: "two\nlines" },
      answer: () => ({
        task: taskIn("COMPLETED", { artifacts: [{ artifactId: "a", name: "n\u001B[1m", parts }] }),
      }),
    });
    const [sent, card] = await Promise.all([
      parley(["send", "-a", agent.url, "hi"], { env: { FORCE_COLOR: "1", TERM: "xterm" } }),
      runHere("card", "get", "-a", agent.url),
    ]);
    expect(sent.stdout + card.stdout).not.toMatch(/(?![\n\t])\p{Cc}/u);
    expect(sent.stdout).toContain("Text:\n[31mred[0m and\nplain\tagain2J\n\n");
    expect(labeled(card.stdout, "Description")).toBe("two lines");
  });

  it("names the tenant of the interface in each request", async () => {
    await using agent = await openScriptedAgent({
      at: { tenant: "acme/7" },
      answer: ({ method }) =>
        method === "SendMessage" ? { task: taskIn("COMPLETED") } : taskIn("COMPLETED"),
    });
    await Promise.all([
      runHere("send", "-a", agent.url, "hi"),
      runHere("task", "get", "-a", agent.url, "t"),
    ]);
    expect(agent.calls.map(({ params }) => params["tenant"])).toEqual(["acme/7", "acme/7"]);
  });
});

describe("errors", () => {
  it("have a code, an exit code and the next command, for what never reached the wire", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-errors-"));
    await writeFile(join(folder, "empty.json"), "{}");
    await writeFile(join(folder, "broken.json"), "{");
    await using agent = await openScriptedAgent({ answer: () => 503 });
    const cases = [
      [["send", "hi"], 2, "A2ACLI_ERR_USAGE"],
      [["send", "-a", agent.url], 2, "A2ACLI_ERR_USAGE"],
      [["send", "-a", agent.url, "--media-type", "text/plain"], 2, "A2ACLI_ERR_USAGE"],
      [["send", "-a", agent.url, "hi", "--async", "--wait"], 2, "A2ACLI_ERR_USAGE"],
      [["send", "-a", agent.url, "hi", "--poll-interval", "0"], 2, "A2ACLI_ERR_USAGE"],
      [["send", "-a", agent.url, "hi", "--a2a-version", "2.0"], 2, "A2ACLI_ERR_USAGE"],
      [["send", "-a", agent.url, "hi", "--svc-param", "nameless"], 2, "A2ACLI_ERR_USAGE"],
      [["send", "-a", agent.url, "hi", "--metadata", "[]"], 2, "A2ACLI_ERR_USAGE"],
      [["send", "-a", "http://127.0.0.1:9", "hi"], 3, "A2ACLI_ERR_UNREACHABLE"],
      [["send", "-a", agent.url, "hi"], 3, "A2ACLI_ERR_UNREACHABLE"],
      [["card", "get", "-a", `${agent.url}/none.json`], 3, "A2ACLI_ERR_CARD_NOT_FOUND"],
      [["card", "get", "-a", join(folder, "none.json")], 3, "A2ACLI_ERR_CARD_NOT_FOUND"],
      [["card", "get", "-a", join(folder, "empty.json")], 1, "A2ACLI_ERR_CARD_INVALID"],
      [["card", "get", "-a", join(folder, "broken.json")], 1, "A2ACLI_ERR_CARD_INVALID"],
    ] as const;
    const ran = await Promise.all(cases.map(([args]) => runHere(...args, "-o", "json")));
    const found = ran.map(({ code, stdout }) => [code, documentOf.error(stdout).code]);
    expect(found).toEqual(cases.map(([, code, name]) => [code, name]));
    for (const { stdout, stderr } of ran) {
      const error = documentOf.error(stdout);
      expect(Object.keys(error)).toEqual(["code", "message", "hint", "a2aCode"]);
      expect(error.hint).toMatch(/^parley (?:help|card get)/);
      expect([error.a2aCode, stderr]).toEqual([null, ""]);
    }
  });

  it("have the agent's own name for it, and are the last line of a stream", async () => {
    const error = { code: -32005, message: "No pictures" };
    await using agent = await openScriptedAgent({ answer: () => ({ error }) });
    const [json, text] = await Promise.all([
      runHere("send", "-a", agent.url, "hi", "--stream", "-o", "json"),
      runHere("send", "-a", agent.url, "hi"),
    ]);
    expect(json.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(documentOf.error(json.stdout)).toMatchObject({
      code: "ContentTypeNotSupportedError",
      message: expect.stringContaining("No pictures"),
      a2aCode: -32005,
    });
    expect(text.stdout).toBe("");
    expect(text.stderr).toMatch(
      /^Error: .*No pictures.*\nCode: ContentTypeNotSupportedError\nHint: parley /,
    );
  });
});

describe("card get", () => {
  it("verifies signatures with keys of the card's own host, and says how that went", async () => {
    const curve = { name: "ECDSA", namedCurve: "P-256" };
    const pair = await crypto.subtle.generateKey(curve, true, ["sign", "verify"]);
    const { privateKey, publicKey } = pair;
    const key = { ...(await crypto.subtle.exportKey("jwk", publicKey)), kid: "k1", alg: "ES256" };
    const pages = new Map<string, unknown>([["/jwks.json", { keys: [key] }]]);
    const tls = { cert: readTls("localhost-cert"), key: readTls("localhost-key") };
    const server = createServer(tls, (request, response) => {
      const page = pages.get(request.url ?? "");
      response.writeHead(page === undefined ? 404 : 200).end(JSON.stringify(page ?? {}));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const plain = cardAt(url) as JsonObject;
    const signed = async (jku: string): Promise<JsonObject> =>
      addSignature(
        plain,
        await signAgentCard(plain, { key: privateKey, alg: "ES256", kid: "k1", jku }),
      );
    const good = await signed(`${url}/jwks.json`);
    pages.set("/good.json", good);
    pages.set("/changed.json", { ...good, name: "Changed" });
    pages.set("/stranger.json", await signed("https://keys.example/jwks.json"));
    // `--insecure` changes it for the rest of a process.
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    try {
      const names = ["good", "changed", "stranger"];
      const ran = await Promise.all(
        names.map((name) => runHere("card", "get", "-a", `${url}/${name}.json`, "--insecure")),
      );
      expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
      const outcomes = ran.map(({ stdout }) => labeled(stdout, "Signature")?.split(" ")[0]);
      expect(outcomes).toEqual(["verified", "invalid", "unverifiable"]);
      const calls = await Promise.all(
        names.map((name) => runHere("send", "hi", "-a", `${url}/${name}.json`, "--insecure")),
      );
      const warned = calls.map(({ stderr }) => /^Warning: the card's signature is/m.test(stderr));
      expect(warned).toEqual([false, true, false]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("validates, and says all that is wrong", async () => {
    const skills = [{ id: "s", name: "s" }];
    const securityRequirements = [{ schemes: { ghost: {} } }];
    await using agent = await openScriptedAgent({
      card: { skills, securityRequirements, version: undefined },
      answer: () => 500,
    });
    const { code, stdout } = await runHere(
      "card",
      "get",
      "-a",
      agent.url,
      "--validate",
      "-o",
      "json",
    );
    expect(code).toBe(1);
    const { message } = documentOf.error(stdout);
    for (const wrong of [
      "version is missing",
      "skills[0].description is missing",
      "skills[0].tags",
      "ghost",
    ]) {
      expect(message).toContain(wrong);
    }
  });

  it("validates by the version that is asked for", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-old-card-"));
    const path = join(folder, "card.json");
    const card = { name: "Old", description: "d", version: "1", capabilities: {}, skills: [] };
    const modes = { defaultInputModes: [], defaultOutputModes: [] };
    await writeFile(path, JSON.stringify({ ...card, ...modes, url: "http://127.0.0.1:9" }));
    const validate = (...more: readonly string[]) =>
      runHere("card", "get", "-a", path, "--validate", "-o", "json", ...more);
    const [current, old] = await Promise.all([validate(), validate("--a2a-version", "0.3")]);
    expect(documentOf.error(current.stdout).message).toContain("supportedInterfaces is missing");
    expect([old.code, documentOf.card(old.stdout).name]).toEqual([0, "Old"]);
    await writeFile(path, JSON.stringify({ ...card, url: "http://127.0.0.1:9" }));
    expect(documentOf.error((await validate("--a2a-version", "0.3")).stdout).message).toBe(
      "the card is not a card of 0.3: defaultInputModes is missing; defaultOutputModes is missing",
    );
  });

  it("reads a card of any version from a host, an origin, its URL or a file", async () => {
    await using agent = await openScriptedAgent({ answer: () => 500 });
    const folder = await mkdtemp(join(tmpdir(), "parley-card-"));
    const old = {
      name: "Old",
      description: "d",
      version: "1",
      url: "http://127.0.0.1:9",
      protocolVersion: "0.3.0",
    };
    const lists = { capabilities: {}, defaultInputModes: [], defaultOutputModes: [], skills: [] };
    await writeFile(join(folder, "card.json"), JSON.stringify({ ...old, ...lists }));
    const { host } = new URL(agent.url);
    const references = [
      host,
      agent.url,
      `${agent.url}/.well-known/agent-card.json`,
      "card.json",
      `file://${folder}/card.json`,
    ];
    const ran = await Promise.all(
      references.map((one) =>
        one === "card.json"
          ? parley(["card", "get", "-a", one, "-o", "json"], { cwd: folder })
          : runHere("card", "get", "-a", one, "-o", "json"),
      ),
    );
    const names = ran.map(({ stdout }) => documentOf.card(stdout).name);
    expect(names).toEqual(["Scripted", "Scripted", "Scripted", "Old", "Old"]);
    expect(ran[0]?.stderr).toBe("Signature: absent\n");
  });
});
