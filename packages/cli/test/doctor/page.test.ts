import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../src/demo-agent.js";
import { cardChecks } from "@parley/inspector/probe";
import { answers } from "../../src/doctor/interface-checks/answers.js";
import { interfaceChecks } from "../../src/doctor/interface-checks/all.js";
import { runHere } from "../run-here.js";

const page = readFileSync(new URL("../../../../docs/doctor.md", import.meta.url), "utf8");

const commands = Array.from(page.matchAll(/^```sh\n(.*?)^```$/gms), ([, code = ""]) =>
  code.trimEnd().split("\n"),
).flat();

let agent: Server;
let folder: string;
const receiver = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(204).end());
});

beforeAll(async () => {
  const push = { allowPrivate: true };
  agent = await serve(demoAgent, { port: 0, store: createMemoryStore(), grpc: false, push });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  folder = await mkdtemp(join(tmpdir(), "parley-page-"));
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
  await rm(folder, { recursive: true });
});

describe("docs/doctor.md", () => {
  it.each(commands)("%s does what it says", async (command) => {
    const { port } = receiver.address() as AddressInfo;
    // The same with less to wait for.
    const here = command
      .replace("localhost:4100", agent.url)
      .replace("localhost:3000", `127.0.0.1:${port}`)
      .replace("report.xml", join(folder, "report.xml"))
      .replace(/"stream \d+ \d+"/, '"stream 3 40"')
      .replace(/^parley listen/, `parley listen --event-log ${join(folder, "events.jsonl")}`);
    const words = Array.from(
      here.matchAll(/"([^"]*)"|(\S+)/g),
      ([, quoted, word]) => quoted ?? word ?? "",
    );
    expect(words[0]).toBe("parley");
    const { code, stderr } = await runHere(...words.slice(1));
    expect(code, stderr).toBe(0);
  });

  it("lists every check of the doctor, with what holds if it is ok", () => {
    const rows = page.replaceAll(/ +/g, " ");
    const missing = [...cardChecks, answers, ...interfaceChecks].filter(
      ({ name, proves }) => !rows.includes(`| \`${name}\` | ${proves} |`),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
