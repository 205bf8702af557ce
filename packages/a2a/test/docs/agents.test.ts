import { expect, it } from "vitest";
import { failureOf } from "@parley/a2a";
import type { Agent } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import { openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { tryAgent } from "@parley/a2a/testing";
import { textMessage } from "../support/clients/dialect-client.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import { describePage } from "./describe-page.js";
import type { DocumentedCode } from "./documented-code.js";
import { exampleTls } from "./gateway.js";

/** The AI SDK takes this model for every name. */
const anyModel = `
import { createModel } from "./model.js";
globalThis.AI_SDK_DEFAULT_PROVIDER = { languageModel: () => createModel("Tokyo is ", "lovely.") };
`;

const tests = (code: () => DocumentedCode): void => {
  const load = async (name: string): Promise<Agent> => {
    const { [name]: found } = (await code().load(name)) as Record<string, Agent>;
    return found ?? expect.fail(`${name}.ts exports no ${name}`);
  };

  it("the writer of main.ts streams, asks, changes its draft and publishes once", async () => {
    await using blog = await openReceiver({
      tls: exampleTls,
      // The first attempt fails, so that a step of the writer is tried again.
      answer: (response) =>
        response
          .writeHead(blog.received.length === 1 ? 503 : 201, {
            Location: "https://blog.example.com/1",
          })
          .end(),
    });
    const peers = { "blog.example.com:443": blog.port };
    await using running = await code().run("main", [4100], { peers, before: anyModel });
    const writer = await connect(`http://127.0.0.1:${running.portFor(4100)}`);
    const answers = ["Shorter, please", "yes"];
    const chunks: string[] = [];
    const states: string[] = [];
    for await (const event of writer.stream("Tokyo", { onInputRequired: () => answers.shift() })) {
      if (event.kind === "artifact")
        chunks.push(...event.artifact.parts.map(({ text = "" }) => text));
      if (event.kind === "status") states.push(event.status.state);
    }
    expect(chunks.join("")).toBe("Tokyo is lovely.\n\n---\n\nTokyo is lovely.");
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
    const keys = blog.received.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
    expect(blog.received.map(({ body }) => body.toString())).toEqual([
      "Tokyo is lovely.",
      "Tokyo is lovely.",
    ]);
  });

  it("the tests of the page pass", async () => {
    expect(await code().outputOf("writer.test")).toMatch(/^# pass 3$[^]*^# fail 0$/m);
  });

  it("trip.ts yields everything that can be yielded", async () => {
    await using trial = await tryAgent(await load("trip"));
    const talk = await trial.send("Tokyo");
    expect(await talk.text()).toBe("A week in Tokyo: Monday, Tuesday, …");
    expect(await talk.text("diary.md")).toBe("Day 1\nDay 2\n");
    const statuses = talk.updates.map(({ statusUpdate }) => statusUpdate?.status.message?.parts);
    expect(statuses).toContainEqual([{ text: "Looking for flights" }]);
    const { artifacts = [] } = await talk.task();
    expect(artifacts[0]?.parts.at(-1)).toEqual({ data: { flight: "PY 42", price: 420 } });
    expect(artifacts.map(({ artifactId }) => artifactId)).toEqual([
      "answer",
      "days.csv",
      "diary.md",
    ]);
    const plain = await trial.send("Tokyo", { acceptedOutputModes: ["text/plain"] });
    const { artifacts: fewer = [] } = await plain.task();
    expect(fewer.map(({ artifactId }) => artifactId)).toEqual(["answer", "diary.md"]);
  });

  it("haiku.ts tells its answer in an artifact and in its status", async () => {
    await using trial = await tryAgent(await load("haiku"));
    const talk = await trial.send("pond");
    const poem = await talk.text();
    expect(poem).toMatch(/^An old pond:/);
    expect((await talk.task()).status.message?.parts).toEqual([{ text: poem }]);
  });

  it("shop.ts prices in parallel, pays with a key after a failure, and says what is too much", async () => {
    const prices = new Map([
      ["tea", "4"],
      ["yacht", "5000"],
    ]);
    const { fetch } = globalThis;
    globalThis.fetch = async (input) => {
      const { pathname } = new URL(new Request(input).url);
      return new Response(prices.get(pathname.replace("/prices/", "")));
    };
    try {
      await using trial = await tryAgent(await load("shop"));
      const talk = await trial.send("tea, tea");
      await trial.advance(500);
      const { status } = await talk.task();
      expect(status.state).toBe("TASK_STATE_COMPLETED");
      const [paid, receipt] = status.message?.parts ?? [];
      expect(paid).toEqual({ text: "Paid 8" });
      expect(JSON.stringify(receipt)).toContain("8 by ");
      expect(trial.reports.map(({ error }) => error)).toContain("buying for 8");

      const empty = await (await trial.send("")).task();
      expect(empty.status.message?.parts).toEqual([{ text: "Send a list, such as: tea, milk" }]);

      const refused = await (await trial.send("yacht")).task();
      expect(refused.status.state).toBe("TASK_STATE_FAILED");
      expect(refused.status.message?.parts).toEqual([{ text: "5000 is too much" }]);
      expect(failureOf(refused)).toEqual({
        code: "OVER_BUDGET",
        message: "5000 is too much",
        details: { total: 5000 },
      });
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it("lookout.ts hears its caller while it works", async () => {
    await using trial = await tryAgent(await load("lookout"));
    const talk = await trial.send("the sea");
    await talk.say("the sky");
    await talk.say("stop");
    expect(await talk.text()).toBe("I have stopped.");
    const statuses = talk.updates.map(({ statusUpdate }) => statusUpdate?.status.message?.parts);
    expect(statuses).toContainEqual([{ text: "Watching the sky" }]);
  });

  it("broker.ts answers calls of its method, and refuses with what it says", async () => {
    const store = createMemoryStore();
    await using runtime = await openRuntime({ agent: await load("broker"), store });
    const call = { version: "1.0" as const, extensions: ["https://acme.example/quotes/v1"] };
    const quote = (symbol: string) =>
      runtime.callMethod({ method: "acme/quote", params: { symbol } }, call);
    expect(await quote("ACME")).toEqual({ symbol: "ACME", price: 12.5 });
    await expect(quote("NONE")).rejects.toMatchObject({ code: "INVALID_PARAMS" });
    expect((await runtime.sendMessage(textMessage("ACME"))).message?.parts).toEqual([
      { text: "ACME costs 12.5" },
    ]);
  });

  it("reader.ts takes files, data and text, and nothing else", async () => {
    await using trial = await tryAgent(await load("reader"));
    const talk = await trial.send([
      { text: "look" },
      { raw: btoa("12345"), mediaType: "image/png", filename: "a.png" },
      { url: "https://example.com/a.pdf", mediaType: "application/pdf" },
      { data: [1] },
    ]);
    expect(await talk.text()).toBe(
      [
        "text: look",
        "a.png has 5 bytes of image/png",
        "a file at https://example.com/a.pdf",
        "data: [1]",
      ]
        .map((line) => `${line}\n`)
        .join("\n"),
    );
    await expect(trial.send([{ raw: "AA==", mediaType: "audio/mpeg" }])).rejects.toMatchObject({
      code: "CONTENT_TYPE_NOT_SUPPORTED",
    });
  });
};

describePage("docs/agents.md", tests, { skipLibCheck: true });
