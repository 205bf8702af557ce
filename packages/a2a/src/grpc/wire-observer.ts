import { status as Status } from "@grpc/grpc-js";
import type { Metadata, ServiceError } from "@grpc/grpc-js";
import type { Operation } from "../protocol/internal.js";

/** A message of gRPC: its bytes, and what they say. */
export interface WireMessage {
  readonly bytes: Uint8Array;
  /** Its JSON form; bytes within it are still bytes. */
  readonly json: unknown;
}

/** A call that is about to be made. */
export interface WireCall {
  readonly operation: Operation;
  readonly address: string;
  /** The method, such as `/lf.a2a.v1.A2AService/SendMessage`. */
  readonly path: string;
  /** The metadata of the request, secrets included. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly message: WireMessage;
  /** Ends the call as a lost connection does. */
  readonly cut: () => void;
}

/** Is told what becomes of one call. */
export interface WireCallObserver {
  /** The metadata of the answer have come. */
  onMetadata(metadata: Readonly<Record<string, string>>): void;
  /** A message has come. What is returned is awaited before the message is passed on. */
  onMessage(message: WireMessage): void | Promise<void>;
  /** The call is over: 0 is OK, and every other status comes with what the server said. */
  onEnd(status: number, details: string): void;
}

/** Sees what goes over the wire, for tools that show it. */
export type WireObserver = (call: WireCall) => WireCallObserver;

/** Tells an observer of a call. Further ends of the call than the first are not told. */
export function observeCall(
  observer: WireObserver,
  call: Pick<WireCall, "operation" | "address" | "path"> & {
    readonly metadata: Metadata;
    readonly bytes: Uint8Array;
    readonly json: unknown;
  },
  cut: (error: Error) => void,
): WireCallObserver {
  const { operation, address, path, metadata, bytes, json } = call;
  const told = observer({
    operation,
    address,
    path,
    metadata: textsOf(metadata),
    message: { bytes, json },
    cut: () => cut(lostConnection()),
  });
  let isOver = false;
  return {
    onMetadata: (answered) => told.onMetadata(answered),
    onMessage: (message) => told.onMessage(message),
    onEnd(status, details) {
      if (!isOver) told.onEnd(status, details);
      isOver = true;
    },
  };
}

/** Metadata as texts; several values of one name are joined. */
export function textsOf(metadata: Metadata): Readonly<Record<string, string>> {
  const names = Object.keys(metadata.getMap());
  return Object.fromEntries(names.map((name) => [name, metadata.get(name).join(", ")]));
}

/** Tells how a call has failed. */
export function tellEnd(wire: WireCallObserver | undefined, error: unknown): void {
  const { code, details, message } = (error ?? {}) as Partial<ServiceError>;
  wire?.onEnd(typeof code === "number" ? code : Status.UNKNOWN, details ?? message ?? "");
}

/** The error of a call whose connection was lost. */
function lostConnection(): Error {
  const details = "the connection was cut";
  return Object.assign(new Error(details), { code: Status.UNAVAILABLE, details });
}
