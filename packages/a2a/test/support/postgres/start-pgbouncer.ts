import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./find-free-port.js";
import { findPgBouncer } from "./find-programs.js";
import { giveToServer, startDependent } from "./start-dependent.js";

export interface TestPgBouncer extends AsyncDisposable {
  /** The given URL, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer before a PostgreSQL server. It takes any user name and any password. */
export async function startPgBouncer(
  target: string,
  { mode = "transaction" }: { readonly mode?: "transaction" | "session" } = {},
): Promise<TestPgBouncer> {
  const { hostname, port, username, password } = new URL(target);
  const folder = await mkdtemp(join(tmpdir(), "parley-pgbouncer-"));
  await giveToServer(folder);
  const own = await findFreePort();
  const config = join(folder, "pgbouncer.ini");
  await writeFile(
    config,
    [
      "[databases]",
      `* = host=${hostname} port=${port} user=${username} password='${decodeURIComponent(password)}'`,
      "[pgbouncer]",
      `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
      `auth_type = any\npool_mode = ${mode}\ndefault_pool_size = 4\nmax_client_conn = 200\nserver_login_retry = 1`,
      "",
    ].join("\n"),
  );
  const server = await startDependent(findPgBouncer().path, [config], {
    ready: /process up/u,
    folder,
  });
  const url = new URL(target);
  url.port = `${own}`;
  const stop = async (): Promise<void> => {
    await server.end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  };
  return { url: url.href, stop, [Symbol.asyncDispose]: stop };
}
