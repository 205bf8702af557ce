import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectNatsBus } from "../../src/bus/nats/index.js";
import type { NatsBusOptions } from "../../src/bus/nats/index.js";
import { openFolder } from "../support/files/open-folder.js";
import { readTls, tlsPath } from "../support/files/tls.js";
import { findFreePort } from "../support/postgres/find-free-port.js";
import { findNats } from "../support/postgres/find-programs.js";
import { startDependent, giveToServer } from "../support/postgres/start-dependent.js";
import { startNats } from "../support/postgres/start-nats.js";
import type { TestNats } from "../support/postgres/start-nats.js";
import { until } from "../support/time/until.js";
import { watchBus } from "./watch-bus.js";
import type { WatchedBus } from "./watch-bus.js";

const program = findNats();

const open = (options: NatsBusOptions): Promise<WatchedBus> =>
  watchBus((report) => connectNatsBus({ ...options, report }));

/** Starts a server with this configuration, for as long as the work takes. */
async function withServer(config: string, work: (host: string) => Promise<void>): Promise<void> {
  await using folder = await openFolder();
  const files = {
    "nats.conf": config,
    "cert.pem": readTls("localhost-cert"),
    "key.pem": readTls("localhost-key"),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(folder.file(name), content);
    await giveToServer(folder.file(name));
  }
  await giveToServer(folder.path);
  const port = await findFreePort();
  const server = await startDependent(
    program.path,
    ["-a", "127.0.0.1", "-p", `${port}`, "-c", folder.file("nats.conf")],
    { ready: /Server is ready/u, folder: folder.path },
  );
  try {
    await work(`localhost:${port}`);
  } finally {
    await server.end("SIGKILL");
  }
}

describe.skipIf(!program.isThere)(`outages of NATS, ${program.name}`, () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());

  test("a server that starts late is connected to then, and missed once", async () => {
    await nats.halt();
    const node = await open({ url: nats.url });
    expect(node.bus.isConnected).toBe(false);
    expect(node.notices).toEqual([
      expect.stringMatching(/^nats 127\.0\.0\.1:\d+: cannot connect \(.*\)\. Until that/u),
    ]);
    node.bus.publish("t1", 1);
    await nats.start();
    await until(() => node.bus.isConnected, "the connection");
    expect(node.notices.slice(1)).toEqual([expect.stringMatching(/wake-ups arrive now/u)]);
    expect(node.lost).toBe(1);
    const other = await open({ url: nats.url });
    other.bus.publish("t1", 2);
    await until(() => node.woken.includes(2), "a wake-up");
    await Promise.all([node.bus.close(), other.bus.close()]);
  });

  test("nodes survive a restart of the server, and say what was published meanwhile", async () => {
    const first = await open({ url: nats.url });
    const second = await open({ url: nats.url });
    await nats.halt();
    await until(() => !first.bus.isConnected && !second.bus.isConnected, "the loss");
    first.bus.publish("t1", 7);
    await nats.start();
    await until(() => second.bus.isConnected, "the return");
    await until(() => first.bus.isConnected, "the return");
    expect([first.lost, second.lost]).toEqual([2, 2]);
    // The second may be back later than the first: its `onLost` makes up for what it has missed.
    first.bus.publish("t1", 8);
    await until(() => second.woken.includes(8), "a wake-up");
    await Promise.all([first.bus.close(), second.bus.close()]);
  });

  test("NATS_URL says where the server is", async () => {
    process.env["NATS_URL"] = nats.url;
    try {
      const { bus } = await open({});
      expect(bus.isConnected).toBe(true);
      await bus.close();
    } finally {
      delete process.env["NATS_URL"];
    }
    await expect(connectNatsBus()).rejects.toThrow(
      "connectNatsBus(): url is missing; give it, or set NATS_URL",
    );
  });

  test.each([
    ["a user and a password", 'authorization { user: ada, password: "se/cret" }', "ada:se%2Fcret@"],
    ["a token", 'authorization { token: "t0ken" }', "t0ken@"],
  ])("%s are in the URL, and others are refused", async (_, config, credentials) => {
    await withServer(config, async (host) => {
      const { bus } = await open({ url: `nats://${credentials}${host}` });
      expect(bus.isConnected).toBe(true);
      await bus.close();
      await expect(open({ url: `nats://ada:wrong@${host}` })).rejects.toThrow(
        /^nats localhost:\d+ refuses this node; look at the user, password or token of the URL$/u,
      );
    });
  });

  test("tls:// encrypts, and takes no server whose certificate nobody knows", async () => {
    const config = `tls { cert_file: "cert.pem", key_file: "key.pem" }`;
    await withServer(config, async (host) => {
      const node = await open({
        url: `tls://${host}`,
        tls: { caFile: tlsPath("localhost-cert") },
      });
      expect(node.bus.isConnected).toBe(true);
      await node.bus.close();
      const careful = await open({ url: `tls://${host}` });
      expect(careful.bus.isConnected).toBe(false);
      expect(careful.notices).toEqual([expect.stringMatching(/cannot connect \(.*certificate/u)]);
      await careful.bus.close();
    });
  });

  test("a server that permits too little is a notice, and the node polls", async () => {
    const permissions = '{ publish: "x", subscribe: "x" }';
    const config = `authorization { users: [{ user: ada, password: a, permissions: ${permissions} }] }`;
    await withServer(config, async (host) => {
      const node = await open({ url: `nats://ada:a@${host}` });
      await until(() => node.notices.length > 0, "the notice");
      expect(node.notices[0]).toMatch(
        /the server refuses it \(.*[Pp]ermissions? [Vv]iolation.*\)/u,
      );
      expect(node.bus.isConnected).toBe(false);
      await node.bus.close();
    });
  });
});

test.each([
  [{ url: 7 }, /^connectNatsBus\(\): url is 7; expected a URL such as/u],
  [{ url: "redis://localhost" }, /^connectNatsBus\(\): url begins with redis:\/\/; expected nats/u],
  [{ url: "nats://one", cluster: "a.b" }, /cluster is "a\.b"; expected 1 to 64 letters/u],
  [
    { url: "nats://one?cluster=a.b" },
    /cluster of the url is not a name; expected 1 to 64 letters/u,
  ],
  [{ urls: "nats://one" }, /urls is unknown; did you mean url\?/u],
])("%j is refused", async (options, message) => {
  await expect(connectNatsBus(options as NatsBusOptions)).rejects.toThrow(message);
});
