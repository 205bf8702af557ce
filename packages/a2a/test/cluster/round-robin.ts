import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, constants, createServer as createH2Server } from "node:http2";
import type {
  ClientHttp2Session,
  IncomingHttpHeaders,
  ServerHttp2Session,
  ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";

/** A load balancer that gives every request to the next node, whoever sends it and over whichever connection. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string;
  readonly grpcAddress: string;
  /** Drops the connections of all callers at once. They may connect again. */
  hangUp(): void;
}

interface Target {
  readonly port: number;
  readonly grpcPort: number;
}

/** Opens a proxy for HTTP and one for gRPC. A node that refuses connections is passed over. */
export async function openRoundRobin(targets: readonly Target[]): Promise<RoundRobin> {
  let turn = 0;
  /** The targets, from the next one on. */
  const inOrder = (): Target[] => {
    const first = (turn += 1) % targets.length;
    return [...targets.slice(first), ...targets.slice(0, first)];
  };
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const http = createServer({ requestTimeout: 0, headersTimeout: 0 }, (incoming, outgoing) => {
    forward(agent, incoming, outgoing, inOrder());
  });
  http.listen(0, "127.0.0.1");
  const sessions = new Map<number, ClientHttp2Session>();
  const grpc = createH2Server();
  grpc.on("stream", (stream, headers) => forwardStream(sessions, stream, headers, inOrder()));
  const callers = new Set<ServerHttp2Session>();
  grpc.on("session", (session) => {
    callers.add(session);
    session.once("close", () => callers.delete(session));
  });
  grpc.on("sessionError", () => undefined);
  grpc.listen(0, "127.0.0.1");
  await Promise.all([once(http, "listening"), once(grpc, "listening")]);
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    grpcAddress: `127.0.0.1:${(grpc.address() as AddressInfo).port}`,
    hangUp() {
      http.closeAllConnections();
      for (const session of callers) session.destroy();
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      grpc.close();
      agent.destroy();
      for (const session of sessions.values()) session.destroy();
    },
  };
}

function forward(
  agent: Agent,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  [target, ...others]: readonly Target[],
): void {
  if (target === undefined) return void outgoing.writeHead(503).end();
  const { method = "GET", url = "/", headers } = incoming;
  const passed = request({
    agent,
    host: "127.0.0.1",
    port: target.port,
    method,
    path: url,
    headers,
  });
  // The body has not been read yet when nobody listens at the target.
  let isConnected = false;
  passed.once("socket", (socket) => {
    const pipe = (): void => {
      isConnected = true;
      incoming.pipe(passed);
    };
    if (socket.connecting) socket.once("connect", pipe);
    else pipe();
  });
  passed.once("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    answer.once("error", () => outgoing.destroy());
    answer.once("aborted", () => outgoing.destroy());
  });
  passed.on("error", () => {
    if (!isConnected) forward(agent, incoming, outgoing, others);
    else outgoing.destroy();
  });
  outgoing.once("close", () => passed.destroy());
}

/** Headers of one connection, which the next connection has its own of. */
const ownHeaders = new Set([":scheme", ":authority", "host", "connection"]);

function forwardStream(
  sessions: Map<number, ClientHttp2Session>,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  targets: readonly Target[],
): void {
  stream.on("error", () => undefined);
  void openSession(sessions, targets).then((session) => {
    if (session === undefined) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    const passed = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !ownHeaders.has(name)),
    );
    const upstream = session.request(passed, { endStream: false });
    stream.pipe(upstream);
    let trailers: IncomingHttpHeaders | undefined;
    upstream.on("response", (answer, flags) => {
      if (stream.destroyed) return;
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(bare(answer), { endStream, waitForTrailers: !endStream });
      stream.on("wantTrailers", () => stream.sendTrailers(bare(trailers ?? {})));
      upstream.pipe(stream, { end: false });
    });
    upstream.on("trailers", (found) => (trailers = found));
    upstream.on("error", () => undefined);
    // A node that is killed leaves its streams without an error: they are closed, with or without a beginning.
    upstream.on("close", () => {
      if (stream.destroyed || stream.writableEnded) return;
      if (trailers !== undefined) stream.end();
      else stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
    stream.on("close", () => upstream.close(constants.NGHTTP2_CANCEL));
    return undefined;
  });
}

/** Without what node adds to the headers it shows. */
function bare(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ownHeaders.has(name) && typeof name === "string"),
  );
}

/** A session with the first target that takes one. */
async function openSession(
  sessions: Map<number, ClientHttp2Session>,
  targets: readonly Target[],
): Promise<ClientHttp2Session | undefined> {
  for (const { grpcPort } of targets) {
    const known = sessions.get(grpcPort);
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const session = connect(`http://127.0.0.1:${grpcPort}`);
    const isOpen = await new Promise<boolean>((resolve) => {
      session.once("connect", () => resolve(true));
      session.once("close", () => resolve(false));
      session.on("error", () => resolve(false));
    });
    if (!isOpen) continue;
    sessions.set(grpcPort, session);
    session.once("close", () => {
      if (sessions.get(grpcPort) === session) sessions.delete(grpcPort);
    });
    return session;
  }
  return undefined;
}
