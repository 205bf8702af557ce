import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { createFetchHandler } from "@parley/a2a/http";
import type { HttpOptions } from "@parley/a2a/http";
import { createNodeListener } from "@parley/a2a/node";
import { openRuntime } from "@parley/a2a/server";
import type { Runtime, RuntimeOptions } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../../../cli/src/demo-agent.js";

type Options = Omit<HttpOptions, "mounts">;

const path = "/agents/travel";

/** The ways in which people mount an agent in a server of their own, as docs/hosting.md shows them. */
const ways = {
  Express: (runtime: Runtime, options: Options): RequestListener => {
    const app = express();
    app.get("/", (_, response) => void response.send("home"));
    app.use(path, createNodeListener(runtime, options));
    return app;
  },
  Hono: (runtime: Runtime, options: Options): RequestListener => {
    const app = new Hono();
    const handle = createFetchHandler({ ...options, mounts: [{ agent: runtime, path }] });
    app.get("/", (context) => context.text("home"));
    app.all(`${path}/*`, (context) => handle(context.req.raw));
    const listener = getRequestListener((request) => app.fetch(request));
    return (request, response) => void listener(request, response);
  },
};

export type Way = keyof typeof ways;
export const waysToMount = Object.keys(ways) as readonly Way[];

export interface MountedOptions {
  /** What the runtime needs besides the agent, given the agent's URL; a memory store and the demo agent when absent. */
  readonly runtime?: (url: string) => Partial<RuntimeOptions>;
  readonly http?: Options;
}

export interface Mounted extends AsyncDisposable {
  /** Of the server that somebody else has. */
  readonly origin: string;
  /** Of the agent. */
  readonly url: string;
  readonly path: string;
  readonly runtime: Runtime;
}

/** Mounts an agent at `/agents/travel` of a server that has other routes too. */
export async function openMounted(
  way: Way,
  { runtime: runtimeOptions = () => ({}), http = {} }: MountedOptions = {},
): Promise<Mounted> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}${path}`;
  const store = createMemoryStore();
  const runtime = await openRuntime({ agent: demoAgent, store, ...runtimeOptions(url) });
  server.on("request", ways[way](runtime, http));
  return {
    origin,
    url,
    path,
    runtime,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await runtime.close();
    },
  };
}
