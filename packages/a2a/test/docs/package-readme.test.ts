import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { describePage } from "./describe-page.js";

const root = new URL("../../../../", import.meta.url);

describePage("packages/a2a/README.md", (code) => {
  it("client.ts gets from agent.ts what the page says", async () => {
    await using running = await code().run("agent", [4100]);
    const url = `http://127.0.0.1:${running.portFor(4100)}`;
    const expected = "You said: hi\nYou said: hi again\n";
    expect(await code().outputOf("client", { args: [url] })).toBe(expected);
    const peers = { "127.0.0.1:4100": running.portFor(4100) };
    expect(await code().outputOf("client", { peers })).toBe(expected);
  });
});

it.each(["a2a", "cli"])("the page of %s names only documents that there are", (name) => {
  const text = readFileSync(new URL(`packages/${name}/README.md`, root), "utf8");
  const documents = text.match(/[\w/-]+\.md\b/g) ?? [];
  expect(documents).toContain("docs/hosting.md");
  const missing = documents.filter((path) => !existsSync(fileURLToPath(new URL(path, root))));
  expect(missing).toEqual([]);
});
