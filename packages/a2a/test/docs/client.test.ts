import { setTimeout as sleep } from "node:timers/promises";
import { exportJWK, generateKeyPair } from "jose";
import { expect, it } from "vitest";
import { addSignature, signAgentCard } from "@parley/a2a/wire";
import { agent } from "@parley/a2a/server";
import { openServer } from "../support/servers/open-server.js";
import { describePage } from "./describe-page.js";
import { openGateway } from "./gateway.js";

/** Does what the page asks of it. */
const travel = agent({
  name: "Travel",
  description: "Finds flights",
  inputModes: ["text/plain", "image/png", "application/json", "application/pdf"],
  capabilities: { extensions: [{ uri: "https://example.com/ext/v1" }] },
  extendedCard: (card) => card,
  async *run({ text, message, ask, signal, step }) {
    if (text.startsWith("Plan")) yield "Monday: ";
    if (text.includes("month")) await sleep(3_600_000, undefined, { signal });
    if (text.startsWith("Book")) yield `Booked: ${(await ask("Where to?")).parts[0]?.text}`;
    if (text.startsWith("Pay")) yield await step("pay", () => "paid");
    return `${message.parts.length} parts: ${text}`;
  },
});

const broker = agent({
  name: "Broker",
  description: "Tells what shares cost",
  run: () => "sold",
  extensions: [
    { uri: "https://acme.example/quotes/v1", methods: { "acme/quote": () => ({ price: 12.5 }) } },
  ],
});

describePage("docs/client.md", (code) => {
  it("calls an agent in every way that the page shows", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    await using server = await openServer({
      agent: { "/travel": travel, "/broker": broker },
      publicUrl: "https://agents.example.com",
      grpc: { port: 0 },
      grpcAddress: "agents.example.com:50051",
      settings: { extendedCardForAnyone: true },
      signCard: async (card) =>
        addSignature(card, await signAgentCard(card, { key: privateKey, alg: "ES256", kid: "k1" })),
    });
    const grpcPort = Number(new URL(`http://${server.grpcAddress}`).port);
    await using http = await openGateway(() => server.port);
    await using grpc = await openGateway(() => grpcPort, "h2");
    await using page = await code().runBlocks({
      peers: { "agents.example.com:443": http.port, "agents.example.com:50051": grpc.port },
      files: {
        "photo.png": "no photo",
        "agent-key.jwk": JSON.stringify({ ...(await exportJWK(publicKey)), kid: "k1" }),
      },
    });
    await expect.poll(() => page.stdout()).toContain("answered sendStreamingMessage");
    expect(page.stdout()).toMatch(/^Travel 1\.0 JSONRPC$/m);
    expect(page.stdout()).toContain("Where to?");
    expect(page.stdout()).toContain("GRPC 1 parts: hi");
    expect(page.stdout()).toContain("activated [ 'https://example.com/ext/v1' ]");
    await expect.poll(() => page.stdout()).toMatch(/^12\.5$/m);
    expect(page.stderr()).toBe("");
  });
});
