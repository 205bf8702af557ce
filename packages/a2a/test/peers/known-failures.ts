import type { Operation } from "./operations.js";
import type { Direction, PeerId, PeerInterface } from "./peers.js";

/** Cases that fail for a reason that is known. The run fails when one of them passes: then it is removed from here. */
export interface KnownFailure {
  readonly peers: readonly PeerId[];
  readonly direction: Direction;
  /** All when absent. */
  readonly bindings?: readonly PeerInterface["binding"][];
  /** All when absent. */
  readonly versions?: readonly PeerInterface["version"][];
  readonly operations: readonly Operation[];
  readonly fault: "ours" | "theirs";
  readonly because: string;
}

const ours: readonly KnownFailure[] = [
  {
    peers: ["go-2"],
    direction: "their client",
    bindings: ["JSONRPC"],
    versions: ["1.0"],
    operations: ["task not found", "invalid params"],
    fault: "ours",
    because:
      "An error before a stream has begun is plain JSON; the SDK accepts nothing but an event stream. " +
      'With `streamErrors: "events"` the server answers as it reads.',
  },
];

const theirs: readonly KnownFailure[] = [
  {
    peers: ["python-0.2", "python-0.3"],
    direction: "their client",
    bindings: ["GRPC"],
    operations: ["card"],
    fault: "theirs",
    because:
      "Cards before 1.0 have absolute URLs, as their schema says; the client calls only an address without a scheme.",
  },
  {
    peers: ["python-0.3"],
    direction: "our client",
    operations: ["subscribe"],
    fault: "theirs",
    because: "The server adds a chunk to its task once for every reader of the stream.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["JSONRPC"],
    operations: ["subscribe"],
    fault: "theirs",
    because: "The server adds a chunk to its task once for every reader of the stream.",
  },
  {
    peers: ["python-0.2"],
    direction: "their client",
    bindings: ["GRPC"],
    operations: ["send"],
    fault: "theirs",
    because: "The client reads a message that answers as an empty task.",
  },
  {
    peers: ["python-0.2"],
    direction: "their client",
    bindings: ["GRPC"],
    operations: ["push"],
    fault: "theirs",
    because: "The client raises `AttributeError: parent` when it reads the webhook that was set.",
  },
  {
    peers: ["python-0.2"],
    direction: "their client",
    bindings: ["GRPC"],
    operations: ["files"],
    fault: "theirs",
    because: "The client leaves out the name and the media type of a file.",
  },
  {
    peers: ["python-0.3"],
    direction: "their client",
    bindings: ["HTTP+JSON"],
    operations: ["task not found"],
    fault: "theirs",
    because:
      "A subscription does not look at the status of the answer, and says 400 for every error.",
  },
  {
    peers: ["go-2"],
    direction: "their client",
    bindings: ["GRPC"],
    versions: ["0.3"],
    operations: ["unsupported"],
    fault: "theirs",
    because:
      "The client knows this error only with the status `FAILED_PRECONDITION` of 1.0; in 0.3 it is `UNIMPLEMENTED`.",
  },
  {
    peers: ["python-0.2", "python-0.3"],
    direction: "our client",
    operations: ["unsupported"],
    fault: "theirs",
    because:
      "The server answers with an internal error, or says that the operation is unsupported.",
  },
  {
    peers: ["python-0.2", "python-0.3"],
    direction: "our client",
    operations: ["invalid params"],
    fault: "theirs",
    because: "The server answers a message without parts with an internal error.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["JSONRPC"],
    operations: ["cut stream"],
    fault: "theirs",
    because:
      "The server stops noting what its agent says once the caller has gone; the task works for ever.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["JSONRPC"],
    operations: ["not cancelable"],
    fault: "theirs",
    because: "The server cancels a task that has completed.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["GRPC"],
    operations: ["cut stream", "get", "cancel", "subscribe", "not cancelable"],
    fault: "theirs",
    because:
      "The server reads the id of a task only up to its first hyphen, and finds no such task.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["GRPC"],
    operations: ["push"],
    fault: "theirs",
    because: "The server answers with a coroutine, which gRPC cannot send.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["GRPC"],
    operations: ["files"],
    fault: "theirs",
    because: "The server leaves out the name and the media type of a file.",
  },
];

export const knownFailures: readonly KnownFailure[] = [...ours, ...theirs];
