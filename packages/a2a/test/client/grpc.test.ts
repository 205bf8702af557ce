import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect } from "@parley/a2a/client";
import { eventIdUri } from "../../src/protocol/internal.js";
import type { AgentCard } from "@parley/a2a";
import type { RemoteAgent, SendOptions } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import { openDemo, streamedText } from "../support/servers/open-demo.js";
import { openChaosProxy } from "../support/proxies/chaos-proxy.js";
import type { Fate } from "../support/proxies/chaos-proxy.js";
import { forAll, hurriedTimers } from "../support/time/hurried-timers.js";
import { readAll } from "./open-agent.js";
import { openSdk03, openSdk10 } from "./sdk-servers.js";
import type { SdkServer } from "./sdk-servers.js";
import { someOf } from "../support/rounds.js";

// The SDK writes to the console whatever it refuses.
for (const method of ["error", "warn", "log"] as const) {
  vi.spyOn(console, method).mockImplementation(() => undefined);
}

const servers = [
  {
    name: "a server of ours",
    open: () => openDemo({ grpc: { port: 0, inCard: true } }),
    version: "1.0",
  },
  {
    name: "a server of ours",
    open: () => openDemo({ grpc: { port: 0, inCard: true } }),
    version: "0.3",
  },
  { name: "the official SDK 1.3.0", open: openSdk10, version: "1.0" },
  { name: "the official SDK 0.3.14", open: openSdk03, version: "0.3" },
] as const;

describe.each(servers)("$name that offers gRPC only, in $version", ({ open, version }) => {
  const said = "stream 4 2";
  const expected = streamedText(4);
  let server: SdkServer;
  let card: AgentCard;
  beforeAll(async () => {
    server = await open();
    const offered = (await connect(server.url)).card;
    const isMeant = (one: AgentCard["supportedInterfaces"][number]): boolean =>
      one.protocolBinding === "GRPC" && one.protocolVersion.startsWith(version);
    card = { ...offered, supportedInterfaces: offered.supportedInterfaces.filter(isMeant) };
    expect(card.supportedInterfaces).toHaveLength(1);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  /** What happens to a stream whose connections meet their fates on the way. */
  async function tryStream(fates: readonly Fate[], options: SendOptions = {}) {
    await using proxy = await openChaosProxy(`http://${server.grpcAddress}`, fates);
    const [offered] = card.supportedInterfaces;
    const url = new URL(proxy.url).host;
    const through = { ...card, supportedInterfaces: [{ ...offered, url }] } as AgentCard;
    const opened: Disposable[] = [];
    const agent: RemoteAgent = await connect(through, {
      clock: hurriedTimers,
      transports: {
        GRPC(chosen) {
          const transport = grpcTransports().GRPC(chosen);
          opened.push(transport);
          return transport;
        },
      },
    });
    const outcome = await readAll(agent.stream(said, options)).catch((error: unknown) => ({
      error,
    }));
    for (const transport of opened) transport[Symbol.dispose]();
    return { outcome, answered: proxy.answered };
  }

  it("is refused without a transport for gRPC, and the error says what helps", async () => {
    await expect(connect(card)).rejects.toMatchObject({
      code: "VERSION_NOT_SUPPORTED",
      message: expect.stringMatching(
        /offers GRPC \d.*; this client uses JSONRPC, HTTP\+JSON .*grpcTransports\(\)/,
      ) as string,
    });
  });

  it("is connected to with one, and streams", async () => {
    const agent = await connect(card, { transports: grpcTransports() });
    expect([agent.binding, agent.version]).toEqual(["GRPC", version]);
    const { text } = await readAll(agent.stream(said));
    expect(text).toBe(expected);
  });

  it("is understood exactly wherever its stream is cut, or it is said that nobody knows", async () => {
    const { answered } = await tryStream([]);
    const length = answered[0] ?? 0;
    expect(length).toBeGreaterThan(300);
    const offsets = someOf(
      Array.from({ length: Math.ceil(length / 13) }, (_, index) => index * 13),
    );
    let untold = 0;
    await forAll(offsets, 8, async (afterBytes) => {
      const { outcome } = await tryStream([{ kind: "cut", afterBytes }]);
      const at = `cut after ${afterBytes} of ${length} bytes`;
      if ("error" in outcome) {
        untold += 1;
        // Before the first bytes there is no connection to send over.
        expect(String(outcome.error), at).toMatch(
          afterBytes < 50
            ? /could not be reached|the message is not known/
            : /whether it has the message is not known/,
        );
        return;
      }
      const parts = outcome.events.flatMap((event) =>
        event.kind === "artifact" ? event.artifact.parts : [],
      );
      expect(parts.map((part) => part.text).join(""), at).toBe(expected);
    });
    expect(untold).toBeLessThan(offsets.length * 0.7);
  });
});

it("tells which extensions the agent has activated, but for the one that the transport uses", async () => {
  await using demo = await openDemo({ grpc: { port: 0, inCard: true } });
  const told: (readonly string[])[] = [];
  const agent = await connect(demo.url, { bindings: ["GRPC"], transports: grpcTransports() });
  const onExtensions = (uris: readonly string[]): number => told.push(uris);
  await agent.text("echo hi", { onExtensions });
  await agent.send("task", { onExtensions, returnImmediately: true, extensions: [eventIdUri] });
  expect(told).toEqual([[], [eventIdUri]]);
});

it("sends again what certainly never left", async () => {
  await using demo = await openDemo({ grpc: { port: 0, inCard: true } });
  await using proxy = await openChaosProxy(`http://${demo.grpcAddress}`);
  await proxy.close();
  const { card } = await connect(demo.url);
  const url = new URL(proxy.url).host;
  const supportedInterfaces = [{ url, protocolBinding: "GRPC", protocolVersion: "1.0" }];
  const agent = await connect({ ...card, supportedInterfaces }, { transports: grpcTransports() });
  const answer = agent.text("echo hi");
  await proxy.reopen();
  expect(await answer).toBe("hi");
});
