import { describe, expect, it } from "vitest";
import { eventIdUri } from "../../src/protocol/internal.js";
import { agent } from "@parley/a2a/server";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

async function extensionsOf(url: string, version: string): Promise<readonly string[]> {
  const headers = { "A2A-Version": version };
  const card = jsonOf(await send(url, "GET /.well-known/agent-card.json", { headers }));
  const extensions: readonly { uri: string; required?: boolean }[] =
    card.capabilities.extensions ?? [];
  expect(extensions.filter(({ required }) => required === true)).toEqual([]);
  return extensions.map(({ uri }) => uri);
}

describe("the card of an agent that streams", () => {
  it.each(["0.3", "1.0"])("declares in %s that its streams can be resumed", async (version) => {
    await using server = await openServer();
    expect(await extensionsOf(server.url, version)).toContain(eventIdUri);
  });

  it("declares it beside what its author declares, and once", async () => {
    for (const own of [{ uri: "urn:x" }, { uri: "urn:x" }, { uri: eventIdUri }]) {
      const subject = agent({
        name: "Own",
        description: "Declares something",
        capabilities: { extensions: [own] },
        run: () => "x",
      });
      await using server = await openServer({ agent: subject });
      const uris = await extensionsOf(server.url, "1.0");
      expect(uris).toEqual([...new Set([own.uri, eventIdUri])]);
    }
  });

  it("declares it only where there are streams", async () => {
    const subject = agent({
      name: "Silent",
      description: "Does not stream",
      capabilities: { streaming: false },
      run: () => "x",
    });
    await using server = await openServer({ agent: subject });
    expect(await extensionsOf(server.url, "1.0")).toEqual([]);
  });
});
