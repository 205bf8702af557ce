import { constants, createSecureServer, createServer } from "node:http2";
import type {
  Http2SecureServer,
  Http2Server,
  SecureServerOptions,
  ServerHttp2Session,
  ServerOptions,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { windowBytes } from "./bound-queue.js";
import { Caller } from "./caller.js";
import { MessageBytes } from "./message-bytes.js";
import type { MessageBytesLimits } from "./message-bytes.js";
import { RequestTimer } from "./request-timer.js";
import { ServerCall } from "./server-call.js";
import type { CallSurroundings } from "./server-call.js";

/** Answers the calls of one method. */
export type Method = (call: ServerCall) => void;

export interface Http2ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly tls: SecureServerOptions | undefined;
  readonly drainMs: number;
  readonly keepaliveMs: number;
  /** How long a message may take to arrive. */
  readonly requestMs: number;
  readonly maxConnections: number;
  readonly maxConcurrentStreams: number;
  readonly messageBytes: MessageBytesLimits;
  readonly statusOf: CallSurroundings["statusOf"];
  /** Answers the calls of all methods that the server does not have. */
  readonly otherwise: Method;
}

export interface OpenHttp2Server {
  readonly port: number;
  /** Takes no more calls, and waits for those under way. */
  close(): Promise<void>;
}

/** How long the other end may take to answer when it is asked whether it is there. */
const keepaliveTimeoutMs = 20_000;

/** As much as an HTTP/1.1 request may have. */
const maxHeaderBytes = 16 * 1024;

/**
 * In megabytes, what node may hold for one connection: its streams, and frames that the other end does not read. A
 * connection that has more gets no new streams.
 */
const maxSessionMemory = 64;

/**
 * Serves gRPC over HTTP/2, the methods by their paths. It is built on node's HTTP/2 and not on the server of grpc-js: that
 * one takes in whatever a caller sends of a message without counting it, and cannot make a caller stop.
 */
export async function openHttp2Server(
  methods: ReadonlyMap<string, Method>,
  options: Http2ServerOptions,
): Promise<OpenHttp2Server> {
  const { port, host, drainMs, maxConnections, statusOf, otherwise } = options;
  const server = createHttp2Server(options);
  server.maxConnections = maxConnections;
  const bytes = new MessageBytes(options.messageBytes);
  const timer = new RequestTimer(options.requestMs);
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("sessionError", ignore);
  server.on("session", (session) => {
    sessions.add(session);
    const caller = new Caller(session, bytes.connect());
    const stopAsking = keepAlive(session, options);
    session.once("close", () => {
      sessions.delete(session);
      caller.bytes.close();
      stopAsking();
    });
    session.on("stream", (stream, headers) => {
      // What ends a stream closes it, too.
      stream.on("error", ignore);
      if (headers["content-type"]?.startsWith("application/grpc") !== true) {
        stream.respond({ ":status": 415 }, { endStream: true });
        stream.close(constants.NGHTTP2_NO_ERROR);
        return;
      }
      const call = new ServerCall(stream, headers, { caller, timer, statusOf });
      const method = methods.get(call.path) ?? otherwise;
      method(call);
    });
  });
  await listen(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const force = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, drainMs);
      await closed;
      clearTimeout(force);
    },
  };
}

function createHttp2Server({
  tls,
  maxConcurrentStreams,
  requestMs,
}: Http2ServerOptions): Http2Server | Http2SecureServer {
  const common: ServerOptions = {
    maxSessionMemory,
    settings: {
      maxConcurrentStreams,
      maxHeaderListSize: maxHeaderBytes,
      initialWindowSize: windowBytes,
      enablePush: false,
    },
  };
  if (tls === undefined) return createServer(common);
  return createSecureServer({
    ...common,
    minVersion: "TLSv1.2",
    handshakeTimeout: requestMs,
    ...tls,
  });
}

/** Closes a connection whose other end does not begin to speak HTTP/2, or has vanished. */
function keepAlive(
  session: ServerHttp2Session,
  { keepaliveMs, requestMs }: Http2ServerOptions,
): () => void {
  const leave = (): void => session.destroy();
  const silence = setTimeout(leave, requestMs).unref();
  session.once("remoteSettings", () => clearTimeout(silence));
  let vanished: NodeJS.Timeout | undefined;
  const asking = setInterval(() => {
    if (session.destroyed || vanished !== undefined) return;
    vanished = setTimeout(leave, keepaliveTimeoutMs).unref();
    session.ping(() => {
      clearTimeout(vanished);
      vanished = undefined;
    });
  }, keepaliveMs).unref();
  return () => {
    clearTimeout(silence);
    clearTimeout(vanished);
    clearInterval(asking);
  };
}

function listen(server: Http2Server | Http2SecureServer, port: number, host: string) {
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function ignore(): void {}
