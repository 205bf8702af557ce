import type { Operation } from "./operations.js";

/** Who calls whom. */
export const directions = ["their client", "our client"] as const;
export type Direction = (typeof directions)[number];

/** A way to call, or to be called by, a peer. */
export interface PeerInterface {
  readonly binding: "JSONRPC" | "HTTP+JSON" | "GRPC";
  readonly version: "0.2" | "0.3" | "1.0";
  /** What the peer's client cannot do here. */
  readonly clientLacks?: readonly Operation[];
  /** What the peer's server does not serve here. */
  readonly serverLacks?: readonly Operation[];
  /** Set where the peer's server sends push notifications, but does not list and remove webhooks. */
  readonly serverListsPush?: false;
}

/** One line of an SDK in another language. */
export interface Peer {
  readonly id: string;
  readonly title: string;
  readonly tool: "python3" | "go";
  readonly interfaces: readonly PeerInterface[];
}

const lists: readonly Operation[] = ["list"];

export const peers = [
  {
    id: "python-0.2",
    title: "Python `a2a-sdk` 0.2.16",
    tool: "python3",
    interfaces: (["JSONRPC", "GRPC"] as const).map((binding) => ({
      binding,
      version: "0.2",
      clientLacks: ["list", "subscribe", "cut stream"],
      serverLacks: lists,
    })),
  },
  {
    id: "python-0.3",
    title: "Python `a2a-sdk` 0.3.26",
    tool: "python3",
    interfaces: (["JSONRPC", "HTTP+JSON", "GRPC"] as const).map((binding) => ({
      binding,
      version: "0.3",
      clientLacks: lists,
      serverLacks: lists,
      ...(binding !== "JSONRPC" && { serverListsPush: false }),
    })),
  },
  {
    id: "python-1",
    title: "Python `a2a-sdk` 1.3.0",
    tool: "python3",
    interfaces: [
      { binding: "JSONRPC", version: "1.0" },
      { binding: "HTTP+JSON", version: "1.0" },
      { binding: "GRPC", version: "1.0" },
      { binding: "JSONRPC", version: "0.3", clientLacks: lists, serverLacks: lists },
      {
        binding: "HTTP+JSON",
        version: "0.3",
        clientLacks: lists,
        serverLacks: lists,
        serverListsPush: false,
      },
      { binding: "GRPC", version: "0.3", clientLacks: lists, serverLacks: lists },
    ],
  },
  {
    id: "go-2",
    title: "Go `a2a-go/v2` 2.4.0",
    tool: "go",
    interfaces: [
      { binding: "JSONRPC", version: "1.0" },
      { binding: "HTTP+JSON", version: "1.0" },
      { binding: "GRPC", version: "1.0" },
      { binding: "JSONRPC", version: "0.3", clientLacks: lists, serverLacks: lists },
      { binding: "HTTP+JSON", version: "0.3" },
      { binding: "GRPC", version: "0.3", clientLacks: lists, serverLacks: lists },
    ],
  },
] as const satisfies readonly Peer[];

export type PeerId = (typeof peers)[number]["id"];
