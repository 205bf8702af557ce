import type { InspectedServer } from "@parley/a2a/node";
import { patientFetch } from "@parley/a2a/client";
import type { Capabilities, Resumption } from "../contract/index.js";
import type { SecretPlaces } from "../record/index.js";
import { Connections } from "./connections/connections.js";
import { inProcess } from "./connections/in-process.js";
import { versions } from "./connections/parse-request.js";
import { isLoopback } from "./http/check-request.js";
import { Previews } from "./http/previews.js";
import type { Routes } from "./http/router.js";
import { serveRequests } from "./http/serve-requests.js";
import type { RequestServer } from "./http/serve-requests.js";
import { createWebHandler } from "./http/web-handler.js";
import type { InspectorOptions } from "./inspector-options.js";
import type { Feed } from "./record/feed.js";
import type { HopRing } from "./record/hop-ring.js";
import type { PushAttempts } from "./record/push-attempts.js";
import { baseRoutes } from "./routes.js";
import { PushReceiver } from "./receiver/push-receiver.js";
import { receiverRoutes } from "./receiver/receiver-routes.js";
import { saveRoutes } from "./save/save-routes.js";
import { Door } from "./session/door.js";
import { createFindOperator } from "./session/find-operator.js";
import { followStore } from "./store/follow-store.js";
import { operatorRoutes } from "./store/operator-routes.js";
import { readSecretPlaces } from "./store/secret-places.js";
import type { TaskSource } from "./store/task-source.js";
import { version } from "./version.js";

/** An inspector that listens. */
export interface OpenInspector extends AsyncDisposable {
  /** Where it is, without a code. */
  readonly url: string;
  readonly port: number;
  /** A link that lets one person in, once, within five minutes. */
  newLink(): string;
  /** Answers a request, as the server does. */
  handle(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** What an inspector has from its beginning, and the server that it stands beside. */
export interface InspectorParts {
  readonly feed: Feed;
  readonly ring: HopRing;
  readonly pushes: PushAttempts;
  readonly server: InspectedServer | undefined;
  /** Is told where callers of the server put their secrets. */
  readonly onPlaces: (places: SecretPlaces) => void;
}

/** How many connections strangers may hold open. */
const maxConnections = 256;

/** How many resumptions are kept. */
const maxResumptions = 1000;

export async function openInspector(
  options: InspectorOptions,
  parts: InspectorParts,
): Promise<OpenInspector> {
  const { host = "127.0.0.1", port = 4180, publicHosts = [], key, sessionKey, recording } = options;
  const { report = (error) => console.error(error) } = options;
  const { feed, ring, pushes, server } = parts;
  const store = server?.store ?? options.store;
  const source: TaskSource | undefined = store && { store, ...(server && { server }) };
  if (server !== undefined) parts.onPlaces(await readSecretPlaces(server));
  const door = new Door({
    ...(key !== undefined && !isLoopback(host) && { key }),
    ...(server?.auth !== undefined &&
      !isLoopback(host) && {
        findOperator: createFindOperator(server.auth, server.operatorScope),
      }),
    ...(sessionKey !== undefined && { sessionKey }),
    ...(options.now !== undefined && { now: options.now }),
  });
  const resumptions: Resumption[] = [];
  let lastId = 0;
  const connections = new Connections(
    {
      ring,
      nextId: () => (lastId += 1),
      onResumed(resumption) {
        feed.add({ kind: "resumed", resumption });
        resumptions.push(resumption);
        if (resumptions.length > maxResumptions) resumptions.shift();
      },
      isInProcess: server !== undefined,
      ...(server === undefined ? { fetch: patientFetch, isOwn: () => true } : inProcess(server)),
    },
    process.env,
  );
  const previews = new Previews();
  const receiver = await openReceiver(options, parts, connections);
  const capabilities = (): Capabilities => ({
    ...capabilitiesOf(options, server),
    canReceive: receiver !== undefined,
  });
  const canCall = capabilities().canCall;
  const routes: Routes = {
    ...baseRoutes({ capabilities, connections, feed, ring, previews, canCall }),
    ...saveRoutes({ ring, connections, resumptions, pushes, receiver, source, recording }),
    ...(server && { "GET pushes": async () => ({ attempts: pushes.all() }) }),
    ...(receiver && receiverRoutes(receiver, server === undefined)),
    ...(source && operatorRoutes(source, options.stuck)),
  };
  let listening: RequestServer | undefined;
  const handle = createWebHandler({
    names: () => ({ host, port: listening?.port ?? port, publicHosts }),
    door,
    previews,
    report,
    routes,
    ...(options.pageFolder !== undefined && { pageFolder: options.pageFolder }),
  });
  listening = await serveRequests(handle, { host, port, maxConnections }).catch(
    async (error: unknown) => {
      await receiver?.close();
      throw listenError(error, host, port);
    },
  );
  const stopFollowing = source && followStore(source, feed);
  const own = `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}/`;
  async function close(): Promise<void> {
    stopFollowing?.();
    feed.close();
    connections.closeAll();
    await Promise.all([listening?.close(), receiver?.close()]);
  }
  return {
    url: own,
    port: listening.port,
    newLink() {
      const { url } = capabilities();
      const path = url === undefined ? "" : `connect?url=${encodeURIComponent(url)}`;
      return `${own}${path}#code=${door.newCode()}`;
    },
    handle,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Opens the receiver of push notifications, at a port of its own, where there is somebody to send any. */
async function openReceiver(
  { receiverPort = 0, recording, store }: InspectorOptions,
  { feed, server }: InspectorParts,
  connections: Connections,
): Promise<PushReceiver | undefined> {
  const isAlone = recording !== undefined || (store !== undefined && server === undefined);
  if (receiverPort === false || isAlone) return undefined;
  const receiver = new PushReceiver({
    host: "127.0.0.1",
    port: receiverPort,
    feed,
    agent: () => connections.all().at(-1)?.view.url,
    fetch: server === undefined ? patientFetch : inProcess(server).fetch,
    canForward: server === undefined,
  });
  await receiver.open();
  return receiver;
}

/** What this inspector can do, by what it looks at. */
function capabilitiesOf(
  { url, store, recording }: InspectorOptions,
  server: InspectedServer | undefined,
): Capabilities {
  const mode = recording !== undefined ? "file" : server || store ? "store" : "remote";
  const agents = server?.agents.map(({ name, path }) => ({
    name,
    path,
    url: server.url + (path === "/" ? "" : path),
  }));
  const first = url ?? agents?.[0]?.url;
  return {
    mode,
    version,
    agents: agents ?? [],
    versions,
    canCall: mode === "remote" || server !== undefined,
    canConnect: mode === "remote",
    canRead: mode === "store",
    canOperate: mode === "store",
    canCancel: server !== undefined,
    canSeePushes: server !== undefined,
    canReceive: false,
    ...(first !== undefined && { url: first }),
  };
}

function listenError(error: unknown, host: string, port: number): unknown {
  const { code } = error as { readonly code?: string };
  if (code !== "EADDRINUSE" && code !== "EACCES") return error;
  const why = code === "EADDRINUSE" ? "is in use" : "needs more rights";
  const message = `the inspector cannot listen on ${host}:${port}: the port ${why}; choose another`;
  return new Error(message, { cause: error });
}
