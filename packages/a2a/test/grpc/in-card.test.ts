import { ChannelCredentials } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import { createGrpcTransport, grpcTransports } from "@parley/a2a/grpc";
import { serve } from "@parley/a2a/node";
import type { ServeOptions, Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { jsonOf, send } from "../support/clients/http-client.js";
import { readTls } from "../support/files/tls.js";
import { addressOf, openServed } from "../support/servers/open-served.js";

const files = ["agent-card.json", "agent.json"] as const;
const versions = [undefined, "1.0", "0.3", "0.2", "0.1"] as const;
const requests = files.flatMap((file) => versions.map((version) => [file, version] as const));

interface Card {
  readonly url?: string;
  readonly supportedInterfaces?: readonly { url: string; protocolBinding: string }[];
  readonly additionalInterfaces?: readonly { url: string; transport: string }[];
}

async function cardOf({ url }: Server, file: string, version: string | undefined): Promise<Card> {
  const headers: Record<string, string> = version === undefined ? {} : { "A2A-Version": version };
  return jsonOf(await send(url, `GET /.well-known/${file}`, { headers })) as Card;
}

/** The gRPC addresses in a card, each once: in the list of 1.0, and in that of 0.3. */
function grpcIn({ supportedInterfaces = [], additionalInterfaces = [] }: Card) {
  const current = supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === "GRPC");
  const earlier = additionalInterfaces.filter(({ transport }) => transport === "GRPC");
  return {
    current: [...new Set(current.map(({ url }) => url))],
    earlier: [...new Set(earlier.map(({ url }) => url))],
  };
}

/** Every address that a card names. */
function addressesIn({ url, supportedInterfaces = [], additionalInterfaces = [] }: Card) {
  return [url, ...[...supportedInterfaces, ...additionalInterfaces].map((one) => one.url)];
}

describe.each(requests)("%s for version %s", (file, version) => {
  it("lists no gRPC by default, and only URLs, which every reader takes", async () => {
    await using server = await openServed({ grpc: { port: 0 } });
    const card = await cardOf(server, file, version);
    expect(grpcIn(card)).toEqual({ current: [], earlier: [] });
    for (const url of addressesIn(card))
      expect(url ?? server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it.each<readonly [string, ServeOptions, string, string]>([
    ["where it is asked for", { grpc: { port: 0, inCard: true } }, "HOST:PORT", "http://HOST:PORT"],
    [
      "at a configured address",
      { grpc: { port: 0 }, grpcAddress: "grpc.example.com:443" },
      "grpc.example.com:443",
      "http://grpc.example.com:443",
    ],
    [
      "at a configured address beside an HTTPS URL",
      { publicUrl: "https://example.com", grpcAddress: "grpc.example.com:443" },
      "grpc.example.com:443",
      "https://grpc.example.com:443",
    ],
    [
      "at a configured URL, as it is",
      { grpcAddress: "https://grpc.example.com" },
      "https://grpc.example.com",
      "https://grpc.example.com",
    ],
    [
      "that another process serves",
      { grpc: false, grpcAddress: "grpc.example.com:443" },
      "grpc.example.com:443",
      "http://grpc.example.com:443",
    ],
  ])("lists gRPC %s", async (_, options, current, earlier) => {
    await using server = await openServed(options);
    const own = server.grpcAddress ?? "";
    const card = await cardOf(server, file, version);
    const found = grpcIn(card);
    const hasCurrent = "supportedInterfaces" in card;
    const hasEarlier = "additionalInterfaces" in card;
    expect([hasCurrent, hasEarlier]).toContain(true);
    expect(found.current).toEqual(hasCurrent ? [current.replace("HOST:PORT", own)] : []);
    expect(found.earlier).toEqual(hasEarlier ? [earlier.replace("HOST:PORT", own)] : []);
  });

  it("lists no configured address where it is told not to", async () => {
    const grpcAddress = "grpc.example.com:443";
    await using server = await openServed({ grpc: { port: 0, inCard: false }, grpcAddress });
    expect(grpcIn(await cardOf(server, file, version))).toEqual({ current: [], earlier: [] });
  });
});

describe.each(["1.0", "0.3"] as const)("a client that reads the card of %s", (form) => {
  it.each(["1.0", "0.3"] as const)("calls over gRPC in version %s", async (version) => {
    if (form === "0.3" && version === "1.0") return; // A card of 0.3 lists no interface of 1.0.
    await using server = await openServed({ grpc: { port: 0, inCard: true } });
    const card = await cardOf(server, "agent-card.json", form);
    const transports = grpcTransports();
    const agent = await connect(card as never, {
      bindings: ["GRPC"],
      versions: [version],
      transports,
    });
    expect([agent.binding, agent.version]).toEqual(["GRPC", version]);
    expect(await agent.text("echo hi")).toBe("hi");
  });
});

describe("an extended card over gRPC", () => {
  const tls = { key: readTls("localhost-key"), cert: readTls("localhost-cert") };

  it.each<readonly ["1.0" | "0.3", ServeOptions, string]>([
    ["1.0", {}, ""],
    ["0.3", {}, "http://"],
    ["1.0", { tls }, ""],
    ["0.3", { tls }, "https://"],
  ])("in %s gives the address in that version's form", async (version, options, scheme) => {
    const extended = agent({
      name: "Extended",
      description: "Has a card for those who may see more",
      extendedCard: (card) => card,
      run: () => "hello",
    });
    await using server = await serve(extended, {
      port: 0,
      grpc: { port: 0, inCard: true },
      store: createMemoryStore(),
      settings: { extendedCardForAnyone: true },
      ...options,
    });
    const address = addressOf(server);
    const credentials =
      options.tls === undefined
        ? ChannelCredentials.createInsecure()
        : ChannelCredentials.createSsl(tls.cert);
    using transport = createGrpcTransport({ address, version, credentials });
    const card = await transport.getExtendedAgentCard({});
    const urls = card.supportedInterfaces.map(({ url }) => url);
    expect([...new Set(urls)]).toEqual([`${scheme}${address}`]);
  });
});
