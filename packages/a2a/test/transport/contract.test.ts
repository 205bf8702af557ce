import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "vitest";
import { createGrpcTransport, openGrpcServer } from "../../src/grpc/index.js";
import {
  createFetchHandler,
  createJsonRpcTransport,
  createRestTransport,
} from "../../src/http/index.js";
import type { Fetch } from "../../src/http/internal.js";
import type { ProtocolVersion } from "../../src/protocol/internal.js";
import type {
  CheckTransportOptions,
  ConnectedTransport,
  ServedAgent,
} from "../../src/testing/check-transport.js";
import { createNodeListener } from "../../src/node/index.js";
import { checkTransport } from "../../src/testing/index.js";
import type { Dialect } from "../../src/wire/index.js";

type Connect = (served: ServedAgent) => Promise<ConnectedTransport>;

const closeNothing = async (): Promise<void> => {};

const inProcess: Connect = async ({ service }) => ({ service, close: closeNothing });

function overGrpc(version: "0.3" | "1.0"): Connect {
  return async (agent) => {
    const server = await openGrpcServer({ mounts: [{ agent }], port: 0, drainMs: 100 });
    const transport = createGrpcTransport({ address: `127.0.0.1:${server.port}`, version });
    const close = async (): Promise<void> => {
      transport.close();
      await server.close();
    };
    return { service: transport, close };
  };
}

type HttpBinding = typeof createJsonRpcTransport;

function overFetch(createTransport: HttpBinding, dialect: Dialect): Connect {
  return async (agent) => {
    const handle = createFetchHandler({ mounts: [{ agent }] });
    const fetch: Fetch = async (url, init) => handle(new Request(url, init));
    const service = createTransport({ url: "http://agent.example", dialect, fetch });
    return { service, close: closeNothing };
  };
}

function overHttp(createTransport: HttpBinding, dialect: Dialect): Connect {
  return async (agent) => {
    const listener = createNodeListener({ mounts: [{ agent }] });
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const service = createTransport({ url: `http://127.0.0.1:${port}`, dialect });
    const close = async (): Promise<void> => {
      void listener.drain();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    return { service, close };
  };
}

const listing = [
  "tasks are listed a page at a time, the latest first",
  "tasks are listed by their state, with artifacts if asked",
];

const unread: CheckTransportOptions["skip"] = [
  {
    reason: "requests are checked where they are read from a wire",
    cases: [
      "a request that breaks a rule is refused by the path of its field",
      "a part of no kind is refused by its place",
    ],
  },
];

const transports: readonly {
  readonly name: string;
  readonly version: ProtocolVersion;
  readonly connect: Connect;
  readonly skip?: CheckTransportOptions["skip"];
}[] = [
  { name: "in process, 1.0", version: "1.0", connect: inProcess, skip: unread },
  { name: "in process, 0.3", version: "0.3", connect: inProcess, skip: unread },
  { name: "gRPC 1.0 over sockets", version: "1.0", connect: overGrpc("1.0") },
  {
    name: "gRPC 0.3 over sockets",
    version: "0.3",
    connect: overGrpc("0.3"),
    skip: [{ reason: "a2a.v1 has no method that lists tasks", cases: listing }],
  },
  {
    name: "JSON-RPC 1.0 in process",
    version: "1.0",
    connect: overFetch(createJsonRpcTransport, "1.0"),
  },
  {
    name: "JSON-RPC 0.3 in process",
    version: "0.3",
    connect: overFetch(createJsonRpcTransport, "0.3"),
    skip: [{ reason: "JSON-RPC before 1.0 has no method that lists tasks", cases: listing }],
  },
  { name: "REST 1.0 in process", version: "1.0", connect: overFetch(createRestTransport, "1.0") },
  {
    name: "REST 0.3 in process",
    version: "0.3",
    connect: overFetch(createRestTransport, "0.3-proto"),
    skip: [{ reason: "the 0.3 REST paths list tasks without pages", cases: listing }],
  },
  {
    name: "JSON-RPC 1.0 over sockets",
    version: "1.0",
    connect: overHttp(createJsonRpcTransport, "1.0"),
  },
  {
    name: "JSON-RPC 0.3 over sockets",
    version: "0.3",
    connect: overHttp(createJsonRpcTransport, "0.3"),
    skip: [{ reason: "JSON-RPC before 1.0 has no method that lists tasks", cases: listing }],
  },
  { name: "REST 1.0 over sockets", version: "1.0", connect: overHttp(createRestTransport, "1.0") },
  {
    name: "REST 0.3 over sockets",
    version: "0.3",
    connect: overHttp(createRestTransport, "0.3-proto"),
    skip: [{ reason: "the 0.3 REST paths list tasks without pages", cases: listing }],
  },
];

describe.each(transports)("$name holds the contract of transports", (transport) => {
  const { connect, version, skip = [] } = transport;
  for (const { name, run, skipped } of checkTransport(connect, { version, skip })) {
    test(name, { skip: skipped !== undefined }, run);
  }
});
