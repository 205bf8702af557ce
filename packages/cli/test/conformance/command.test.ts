import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import type { ConformanceResult } from "../../src/conformance/run-conformance.js";
import { demoAgent } from "../../src/demo-agent.js";
import { openFront } from "../doctor/open-front.js";
import type { Defect, Front } from "../doctor/open-front.js";
import { runHere } from "../run-here.js";

/** Two failures: an error with another code, and a card without a description. */
const defect: Defect = {
  card: (card) => ({ ...card, description: undefined }),
  answer: ({ rpc, id }) => {
    if (rpc !== "CancelTask") return undefined;
    const error = { code: -32_603, message: 'Broken & <"lost">' };
    const body = JSON.stringify({ jsonrpc: "2.0", id, error });
    return { status: 200, headers: { "Content-Type": "application/json" }, body };
  },
};

let server: Server;
let front: Front;
let folder: string;

beforeAll(async () => {
  server = await serve(demoAgent, { port: 0, store: createMemoryStore(), grpc: false });
  front = await openFront([server.url], defect);
  folder = await mkdtemp(join(tmpdir(), "parley-conformance-"));
});

afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe("parley conformance", () => {
  it("prints each MUST that fails with what was found, a line for each interface, and exits with 1", async () => {
    const { code, stdout } = await runHere("conformance", front.url, "--message", "task a");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Fail: card:required-fields \(MUST, §4\.4\.1\): .* Found: it lacks description$/m,
    );
    expect(stdout).toMatch(
      /^Fail: cancel:unknown-task \(MUST, §3\.1\.5\): .* Found: INTERNAL: Broken/m,
    );
    expect(stdout).toMatch(/^Total: JSONRPC 1\.0: \d+ passed, 2 failed, 0 warnings, \d+ skipped$/m);
    expect(stdout).not.toMatch(/^Pass/m);
  });

  it("writes one document as JSON, and JUnit's XML beside it", async () => {
    const path = join(folder, "report.xml");
    const given = ["--message", "task a", "--junit", path, "-o", "json"];
    const { code, stdout } = await runHere("conformance", front.url, ...given);
    expect(code).toBe(1);
    const { counts, results } = JSON.parse(stdout) as {
      readonly counts: Readonly<Record<string, number>>;
      readonly results: readonly ConformanceResult[];
    };
    expect(counts).toMatchObject({ failed: 3, warnings: 0 });
    const xml = await readFile(path, "utf8");
    expect(xml.match(/<testcase /g)).toHaveLength(results.length);
    expect(xml.match(/<failure /g)).toHaveLength(3);
    expect(xml).toContain("Broken &amp; &lt;&quot;lost&quot;&gt;");
  });
});
