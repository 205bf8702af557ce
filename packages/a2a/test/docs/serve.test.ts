import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { agent, connect, textOf } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { openFolder } from "../support/files/open-folder.js";
import type { Folder } from "../support/files/open-folder.js";
import { describePage } from "./describe-page.js";
import { blocksOf, pathInRoot } from "./page.js";

const page = "docs/serve.md";

describePage(page, (code) => {
  it("agent.ts is a module that does nothing but export an agent", async () => {
    expect(await code().outputOf("agent")).toBe("");
  });
});

const commands = blocksOf(page).flatMap(({ language, code }) =>
  language === "sh" ? code.trim().split("\n") : [],
);

/** Runs a command of the page beside the page's files, until the test has called the agent at its URL. */
async function run(
  command: string | undefined,
  peers: Readonly<Record<string, number>>,
  call: (url: string) => Promise<void>,
): Promise<void> {
  await using folder = await openFolder();
  await writePage(folder);
  const env = {
    ...process.env,
    PATH: `${folder.path}:${process.env["PATH"]}`,
    NODE_OPTIONS: `--import ${new URL("reroute.mjs", import.meta.url).href}`,
    PARLEY_DOCS_PEERS: JSON.stringify(peers),
  };
  const child = spawn("sh", ["-c", command ?? "exit 1"], { cwd: folder.path, env, detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (more: string) => (said += more));
  }
  const ended = once(child, "close");
  try {
    const find = (): string | undefined => {
      if (child.exitCode !== null) expect.fail(said);
      return /^Page: (\S+)$[^]*^Try: /m.exec(said)?.[1];
    };
    await expect.poll(find).toBeDefined();
    await call(find() ?? "");
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), "SIGTERM");
    await ended;
  }
}

/** The files that the page shows, and the command. */
async function writePage(folder: Folder): Promise<void> {
  for (const { code } of blocksOf(page)) {
    const [, name] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code) ?? [];
    if (name !== undefined) await writeFile(folder.file(name), code);
  }
  const main = pathInRoot("packages/cli/dist/main.js");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
  await writeFile(folder.file("parley"), script, { mode: 0o755 });
}

/** A server on this machine, in the place of one of the page. */
async function openPeer(answer: (...exchange: Parameters<RequestListener>) => Promise<void>) {
  const server = createServer((...exchange) => void answer(...exchange)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe("the commands of the page", () => {
  it("are these", () => {
    expect(commands.map((command) => command.split(" ")[2])).toEqual([
      "./agent.ts",
      "--exec",
      "--http",
      "--openai",
      "--a2a",
    ]);
  });

  it("serve the module", async () => {
    await run(commands[0], {}, async (url) => {
      expect(await (await connect(url)).text("Ada")).toBe("Hello, Ada!");
    });
  });

  it("serve the program", async ({ skip }) => {
    skip(spawnSync("python3", ["--version"]).status !== 0, "there is no python3");
    await run(commands[1], {}, async (url) => {
      const { task } = (await (await connect(url)).send("two words")) as { task: Task };
      expect(task.artifacts?.map(textOf)).toContain("2 words\n");
      expect(task.artifacts?.find(({ artifactId }) => artifactId === "counts")?.parts).toEqual([
        { data: { letters: 9 } },
      ]);
    });
  });

  it("serve the service, which gets what the page shows", async () => {
    const [shown = ""] = blocksOf(page).flatMap(({ language, code }) =>
      language === "json" ? [code] : [],
    );
    const members = Object.keys(JSON.parse(shown) as object);
    let got: object = {};
    await using peer = await openPeer(async (request, response) => {
      got = JSON.parse(await text(request)) as object;
      response.writeHead(200, { "Content-Type": "text/plain" }).end(request.url);
    });
    await run(commands[2], { "127.0.0.1:8000": peer.port }, async (url) => {
      expect(await (await connect(url)).text("hi")).toBe("/answer");
    });
    expect(Object.keys(got)).toEqual(members.filter((one) => !["caller", "tenant"].includes(one)));
  });

  it("serve the model", async () => {
    let asked = "";
    await using peer = await openPeer(async (request, response) => {
      asked = await text(request);
      const answer = { choices: [{ message: { content: "One sentence." } }] };
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    });
    await run(commands[3], { "127.0.0.1:11434": peer.port }, async (url) => {
      expect(await (await connect(url)).text("hi")).toBe("One sentence.");
    });
    expect(JSON.parse(asked)).toMatchObject({
      model: "llama3.2",
      messages: [{ content: "Answer in one sentence." }, { content: "hi" }],
    });
  });

  it("serve the other agent", async () => {
    const other = agent({ name: "Other", description: "Answers", run: ({ text }) => `I: ${text}` });
    const publicUrl = "http://127.0.0.1:4200";
    await using server = await serve(other, { port: 0, store: "memory:", publicUrl });
    await run(commands[4], { "127.0.0.1:4200": server.port }, async (url) => {
      const gateway = await connect(url);
      expect(gateway.card.name).toBe("Other");
      expect(await gateway.text("hi")).toBe("I: hi");
    });
  });
});
