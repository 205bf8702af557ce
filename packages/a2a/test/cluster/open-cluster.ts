import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ProtocolVersion } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import type { RuntimeSettings } from "@parley/a2a/server";
import type { Store } from "@parley/a2a/store";
import { findFreePort } from "../support/postgres/find-free-port.js";
import { openCutProxy } from "../support/proxies/cut-proxy.js";
import type { CutProxy } from "../support/proxies/cut-proxy.js";
import { ClusterNode } from "./cluster-node.js";
import type { Mutant, NodeOptions } from "./cluster-node.js";
import { openStore } from "./open-engines.mjs";
import { openRoundRobin } from "./round-robin.js";
import type { RoundRobin } from "./round-robin.js";

export interface ClusterOptions {
  /** Where traces and reports go. */
  readonly folder: string;
  readonly nodes?: number;
  /** The URL of the store; absent: a SQLite file in the folder. */
  readonly store?: string;
  /** The URL of the bus; `file` for a file beside that of the store; absent: none. */
  readonly bus?: string;
  readonly leaseMs?: number;
  readonly settings?: Partial<RuntimeSettings>;
  readonly mutant?: Mutant;
  /** What differs for one node, by its number. */
  readonly forNode?: (number: number) => Partial<NodeOptions>;
}

/** A node, and the ways by which it reaches its store and its bus, if those are servers. */
export interface Member {
  readonly node: ClusterNode;
  readonly toStore?: CutProxy;
  readonly toBus?: CutProxy;
}

/** Servers in processes of their own behind a proxy that gives every call to the next. */
export interface Cluster extends AsyncDisposable {
  readonly members: readonly Member[];
  readonly proxy: RoundRobin;
  readonly leaseMs: number;
  /** Where nodes write down what they do. */
  readonly traces: string;
  /** Opens the store in this process, past all cuts. */
  openStore(): Promise<Store>;
  /** Connects through the proxy, or to one node. */
  connect(
    to: Interface,
    at?: {
      readonly agent?: "/" | "/plain";
      readonly node?: number;
      /** After how long a caller gives up on a server that says nothing. */
      readonly stallMs?: number;
    },
  ): Promise<RemoteAgent>;
}

export type Interface = readonly [binding: string, version: ProtocolVersion];

/** The interfaces that callers of a cluster use. */
export const interfaces: readonly Interface[] = [
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "1.0"],
  ["GRPC", "1.0"],
  ["JSONRPC", "0.3"],
  ["HTTP+JSON", "0.3"],
  ["GRPC", "0.3"],
];

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, nodes = 3, leaseMs = 3000, forNode = () => ({}) } = options;
  await mkdir(folder, { recursive: true });
  const store = options.store ?? join(folder, "store.db");
  const bus = options.bus === "file" ? `${store}-bus` : options.bus;
  const traces = join(folder, "traces.jsonl");
  const settings = {
    leaseMs,
    cancelGraceMs: 1500,
    takeUpMs: 1500,
    stopGraceMs: 1500,
    minPushDelayMs: 100,
    maxPushDelayMs: 1500,
    ...options.settings,
  };
  const members: Member[] = [];
  const ports = await Promise.all(Array.from({ length: nodes * 2 }, findFreePort));
  const targets = Array.from({ length: nodes }, (_, number) => ({
    port: ports[2 * number] ?? 0,
    grpcPort: ports[2 * number + 1] ?? 0,
  }));
  const proxy = await openRoundRobin(targets);
  for (const [number, target] of targets.entries()) {
    const toStore = isServer(store) ? await openCutProxy(store) : undefined;
    const toBus = bus !== undefined && isServer(bus) ? await openCutProxy(bus) : undefined;
    const node = new ClusterNode({
      ...target,
      name: `node-${number + 1}`,
      store: toStore?.through(store) ?? store,
      ...(bus !== undefined && { bus: toBus?.through(bus) ?? bus }),
      traces,
      log: join(folder, `node-${number + 1}.log`),
      settings,
      publicHosts: [new URL(proxy.url).host],
      ...(options.mutant && { mutant: options.mutant }),
      ...forNode(number),
    });
    members.push({ node, ...(toStore && { toStore }), ...(toBus && { toBus }) });
  }
  const close = async (): Promise<void> => {
    await Promise.all(members.map(({ node }) => node[Symbol.asyncDispose]()));
    await proxy[Symbol.asyncDispose]();
    for (const { toStore, toBus } of members) {
      await toStore?.[Symbol.asyncDispose]();
      await toBus?.[Symbol.asyncDispose]();
    }
  };
  try {
    // The first one makes the schema; the others find it.
    const [first, ...others] = members;
    await first?.node.start();
    await Promise.all(others.map(({ node }) => node.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    members,
    proxy,
    leaseMs,
    traces,
    openStore: () => openStore(store),
    async connect(
      [protocolBinding, protocolVersion],
      { agent = "/", node, stallMs = 20_000 } = {},
    ) {
      const target = node === undefined ? undefined : targets[node];
      const base = target === undefined ? proxy.url : `http://127.0.0.1:${target.port}`;
      const grpcAddress = target === undefined ? proxy.grpcAddress : `127.0.0.1:${target.grpcPort}`;
      const url = protocolBinding === "GRPC" ? grpcAddress : new URL(agent, base).href;
      const { card } = await connect(new URL(agent, base));
      return connect(
        { ...card, supportedInterfaces: [{ url, protocolBinding, protocolVersion }] },
        {
          transports: grpcTransports(),
          maxStreamsPerHost: 10_000,
          // Whoever records what became of a call makes each call once.
          patience: { maxAttempts: 1, stallMs },
        },
      );
    },
    [Symbol.asyncDispose]: close,
  };
}

function isServer(place: string): boolean {
  return place.includes("://");
}
