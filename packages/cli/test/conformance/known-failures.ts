/** A requirement that a server of an official SDK does not meet, at which of its interfaces, and why that is so. */
export interface KnownFailure {
  readonly id: string;
  readonly interfaces: readonly string[];
  /** A sentence of docs/conformance-of-others.md. */
  readonly why: string;
}

/** What `parley conformance` reports of the servers of the official JavaScript SDKs. */
export const knownFailures: Readonly<Record<string, readonly KnownFailure[]>> = {
  "1.3.0": [
    {
      id: "send:unsupported-media-type",
      interfaces: ["JSONRPC 1.0", "HTTP+JSON 1.0", "GRPC 1.0"],
      why: "The SDK hands every part to the agent, whatever input modes the card declares.",
    },
    {
      id: "message:role-required",
      interfaces: ["JSONRPC 1.0", "HTTP+JSON 1.0"],
      why: "A message without a role becomes one of the unspecified role, and is answered.",
    },
    {
      id: "message:parts-required",
      interfaces: ["JSONRPC 1.0", "HTTP+JSON 1.0"],
      why: "A message without parts is taken, and comes back in the history of its task.",
    },
    {
      id: "part:one-content",
      interfaces: ["JSONRPC 1.0", "HTTP+JSON 1.0"],
      why: "A part without content is taken, and comes back in the history of its task.",
    },
    {
      id: "task:history-negative",
      interfaces: ["JSONRPC 1.0", "GRPC 1.0"],
      why: "A negative historyLength is refused over REST alone.",
    },
    {
      id: "jsonrpc:invalid-request",
      interfaces: ["JSONRPC 1.0"],
      why: "JSON that is no request is answered with -32602, the code for invalid parameters.",
    },
    {
      id: "version:patch-ignored",
      interfaces: ["JSONRPC 1.0", "HTTP+JSON 1.0"],
      why: "A2A-Version: 1.0.1 is refused, although patch numbers must not count.",
    },
  ],
  "0.3.14": [
    {
      id: "jsonrpc:invalid-params",
      interfaces: ["JSONRPC 0.3"],
      why: "tasks/get without an id looks for a task called undefined, and answers that there is none.",
    },
    {
      id: "stream:unknown-task-id",
      interfaces: ["HTTP+JSON 0.3"],
      why: "Over REST an error before a stream fails in the SDK itself, which answers with an internal error.",
    },
    {
      id: "subscribe:unknown-task",
      interfaces: ["HTTP+JSON 0.3"],
      why: "Over REST an error before a stream fails in the SDK itself, which answers with an internal error.",
    },
  ],
  "0.2.5": [
    {
      id: "jsonrpc:parse-error",
      interfaces: ["JSONRPC 0.2"],
      why: "A body that is no JSON is answered by the web framework, with a page of HTML.",
    },
    {
      id: "jsonrpc:invalid-params",
      interfaces: ["JSONRPC 0.2"],
      why: "tasks/get without an id looks for a task called undefined, and answers that there is none.",
    },
  ],
};
