import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNats } from "./find-programs.js";
import { giveToServer, startDependent } from "./start-dependent.js";
import type { Dependent } from "./start-dependent.js";

export interface TestNats extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Stops it until `start`. */
  halt(): Promise<void>;
  start(): Promise<void>;
  /** Stops and starts it again, on the same port. */
  restart(): Promise<void>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

/** Starts a NATS server that nobody else uses. It ends with the test process. */
export async function startNats(): Promise<TestNats> {
  const folder = await mkdtemp(join(tmpdir(), "parley-nats-"));
  await giveToServer(folder);
  const launch = (port: number): Promise<Dependent> =>
    startDependent(findNats().path, ["-a", "127.0.0.1", "-p", `${port}`], {
      ready: /Server is ready/u,
      folder,
    });
  // It finds a free port itself.
  let server = await launch(-1);
  const port = Number(/client connections on 127\.0\.0\.1:(\d+)/u.exec(server.output)?.[1]);
  const test: TestNats = {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return server.pid;
    },
    halt: () => server.end("SIGKILL"),
    async start() {
      server = await launch(port);
    },
    async restart() {
      await test.halt();
      await test.start();
    },
    async stop() {
      await test.halt();
      await rm(folder, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => test.stop(),
  };
  return test;
}
