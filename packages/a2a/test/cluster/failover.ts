import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openCutProxy } from "../support/proxies/cut-proxy.js";
import { findFreePort } from "../support/postgres/find-free-port.js";
import { giveToServer, serverUser, startDependent } from "../support/postgres/start-dependent.js";
import { startPostgres } from "../support/postgres/start-postgres.js";

/** A primary with a standby, behind an address that leads to whichever is the primary. */
export interface Failover extends AsyncDisposable {
  readonly url: string;
  /** The standby hears nothing more of the primary, which goes on if it need not wait for the standby. */
  stallReplication(): void;
  /** The primary is gone at once; the standby takes its place after a while. */
  failOver(afterMs: number): Promise<void>;
}

const run = promisify(execFile);

/** Starts two servers of PostgreSQL 15, of which the second follows the first. */
export async function openFailover({
  isSynchronous,
}: {
  readonly isSynchronous: boolean;
}): Promise<Failover> {
  const primary = await startPostgres({
    version: 15,
    settings: { wal_level: "replica", max_wal_senders: "4", hot_standby: "on" },
  });
  const database = await primary.createDatabase();
  const replication = await openCutProxy(primary.url);
  const folder = await mkdtemp(join(tmpdir(), "parley-standby-"));
  await giveToServer(folder);
  const data = join(folder, "data");
  await run(
    join(primary.binFolder, "pg_basebackup"),
    ["-D", data, "-d", replication.through(primary.url), "-R", "-X", "stream", "-c", "fast"],
    { ...serverUser, cwd: folder },
  );
  const port = await findFreePort();
  const standby = await startDependent(
    join(primary.binFolder, "postgres"),
    ["-D", data, "-p", `${port}`, "-c", "listen_addresses=127.0.0.1"].concat([
      "-c",
      `unix_socket_directories=${folder}`,
      "-c",
      "max_connections=200",
    ]),
    { ready: /ready to accept/u, folder },
  );
  while ((await primary.run("SELECT 1 FROM pg_stat_replication")).length === 0) await sleep(20);
  if (isSynchronous) {
    await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.run("SELECT pg_reload_conf()");
  }
  const relay = await openRelay(primary.port);
  const own = new URL(primary.url);
  own.port = `${port}`;
  return {
    url: relay.through(database),
    stallReplication: () => replication.stall(),
    async failOver(afterMs) {
      await primary.halt("immediate");
      // What has arrived is kept; what has not is lost with the primary.
      await replication.cut();
      await sleep(afterMs);
      await primary.run("SELECT pg_promote()", own.href);
      relay.lead(port);
    },
    async [Symbol.asyncDispose]() {
      relay.close();
      await replication[Symbol.asyncDispose]();
      await standby.end("SIGQUIT");
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An address that leads to one port and later to another. */
async function openRelay(first: number) {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    through(url: string): string {
      const changed = new URL(url);
      changed.port = `${port}`;
      return changed.href;
    },
    lead(to: number): void {
      target = to;
      for (const socket of sockets) socket.destroy();
    },
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
