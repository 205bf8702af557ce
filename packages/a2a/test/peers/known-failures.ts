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

const errors: readonly Operation[] = [
  "task not found",
  "not cancelable",
  "unsupported",
  "invalid params",
];

const ours: readonly KnownFailure[] = [
  {
    peers: ["python-1", "go-2"],
    direction: "their client",
    bindings: ["HTTP+JSON"],
    versions: ["1.0"],
    operations: ["push"],
    fault: "ours",
    because: "The removal of a webhook is answered with 204; the SDKs read a body.",
  },
  {
    peers: ["python-1"],
    direction: "their client",
    bindings: ["HTTP+JSON", "GRPC"],
    versions: ["1.0"],
    operations: ["invalid params"],
    fault: "ours",
    because: "The error carries no `ErrorInfo` with the reason `INVALID_PARAMS`.",
  },
  {
    peers: ["python-1"],
    direction: "their client",
    bindings: ["HTTP+JSON"],
    versions: ["0.3"],
    operations: errors,
    fault: "ours",
    because: "The body of the error has no member `type` with the name of the error.",
  },
  {
    peers: ["python-1"],
    direction: "their client",
    bindings: ["GRPC"],
    versions: ["0.3"],
    operations: errors,
    fault: "ours",
    because:
      "The message of the status does not begin with the name of the error, such as `TaskNotFoundError: `.",
  },
  {
    peers: ["go-2"],
    direction: "their client",
    bindings: ["JSONRPC"],
    versions: ["1.0"],
    operations: ["task not found", "invalid params"],
    fault: "ours",
    because:
      "An error before a stream has begun is plain JSON; the SDK accepts nothing but an event stream.",
  },
  {
    peers: ["go-2"],
    direction: "their client",
    bindings: ["HTTP+JSON"],
    versions: ["1.0", "0.3"],
    operations: errors,
    fault: "ours",
    because: "The SDK reads errors only from `application/json`, which it also accepts.",
  },
  {
    peers: ["go-2"],
    direction: "their client",
    bindings: ["GRPC"],
    versions: ["1.0"],
    operations: ["list"],
    fault: "ours",
    because: "A page size of 0 is refused; over gRPC it means that there is none.",
  },
  {
    peers: ["go-2"],
    direction: "their client",
    bindings: ["JSONRPC"],
    versions: ["0.3"],
    operations: errors,
    fault: "ours",
    because: "`error.data` is an object; the SDK reads a list, or nothing.",
  },
  {
    peers: ["python-0.3", "python-1", "go-2"],
    direction: "their client",
    bindings: ["HTTP+JSON", "GRPC"],
    versions: ["0.3"],
    operations: ["files"],
    fault: "ours",
    because: "The SDK puts base64 text into the bytes of a file; the agent gets that text.",
  },
  {
    peers: ["python-0.2", "python-0.3", "python-1", "go-2"],
    direction: "our client",
    bindings: ["HTTP+JSON", "GRPC"],
    versions: ["0.2", "0.3"],
    operations: ["files"],
    fault: "ours",
    because: "The SDK expects base64 text in the bytes of a file, and gets the bytes.",
  },
  {
    peers: ["python-0.2", "python-0.3", "python-1"],
    direction: "our client",
    bindings: ["JSONRPC"],
    versions: ["0.2", "0.3"],
    operations: ["push"],
    fault: "ours",
    because: "The server leaves out a result of `null`; the client refuses the answer.",
  },
  {
    peers: ["go-2"],
    direction: "our client",
    bindings: ["JSONRPC"],
    operations: ["push"],
    fault: "ours",
    because: "The server leaves out a result of `null`; the client refuses the answer.",
  },
  {
    peers: ["python-0.3"],
    direction: "our client",
    bindings: ["HTTP+JSON"],
    operations: ["push"],
    fault: "ours",
    because: "A webhook is set with two forms of the same body; the server answers 500.",
  },
  {
    peers: ["python-0.3"],
    direction: "our client",
    operations: ["cut stream"],
    fault: "ours",
    because:
      "The task has ended when the client subscribes again; the server refuses, and the client does not look at the task.",
  },
  {
    peers: ["python-0.3", "python-1"],
    direction: "our client",
    bindings: ["HTTP+JSON"],
    versions: ["0.3"],
    operations: ["task not found"],
    fault: "ours",
    because:
      "The server begins a stream and cuts it; the client tries again and again, and does not look at the task.",
  },
  {
    peers: ["python-1"],
    direction: "our client",
    bindings: ["HTTP+JSON"],
    versions: ["0.3"],
    operations: ["cut stream"],
    fault: "ours",
    because:
      "The server begins a stream and cuts it; the client tries again and again, and does not look at the task.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["JSONRPC"],
    operations: ["cut stream"],
    fault: "ours",
    because:
      "The server opens the second stream and says nothing in it; the client waits, and does not look at the task.",
  },
  {
    peers: ["python-0.3"],
    direction: "our client",
    bindings: ["GRPC"],
    operations: ["not cancelable"],
    fault: "ours",
    because:
      "The name of the error is in the message of the status, where the client does not read it.",
  },
  {
    peers: ["python-1"],
    direction: "our client",
    bindings: ["GRPC"],
    versions: ["0.3"],
    operations: ["unsupported"],
    fault: "ours",
    because:
      "The name of the error is in the message of the status, where the client does not read it.",
  },
  {
    peers: ["python-0.3"],
    direction: "our client",
    operations: ["subscribe"],
    fault: "ours",
    because:
      "The server does not begin with the task. The client reads the task when the next chunk comes, and tells that chunk twice.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["JSONRPC"],
    operations: ["subscribe"],
    fault: "ours",
    because:
      "The server does not begin with the task. The client reads the task when the next chunk comes, and tells that chunk twice.",
  },
  {
    peers: ["python-0.3"],
    direction: "our client",
    operations: ["cancel"],
    fault: "ours",
    because:
      "The server ends the stream of a canceled task without saying so; the client does not look at the task.",
  },
  {
    peers: ["python-0.2"],
    direction: "our client",
    bindings: ["JSONRPC"],
    operations: ["cancel"],
    fault: "ours",
    because:
      "The server ends the stream of a canceled task without saying so; the client does not look at the task.",
  },
];

const theirs: readonly KnownFailure[] = [
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
];

export const knownFailures: readonly KnownFailure[] = [...ours, ...theirs];
