import type { ComponentChild } from "preact";
import { connection, connectionProblem, connectionStatus } from "../state/connection.js";
import { Mark } from "../ui/index.js";
import type { Tone } from "../ui/index.js";

const looks: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  idle: { tone: "neutral", word: "Not connected" },
  connecting: { tone: "working", word: "Connecting" },
  connected: { tone: "done", word: "Connected" },
  error: { tone: "failed", word: "Not connected" },
};

const bindings = { JSONRPC: "JSON-RPC", "HTTP+JSON": "HTTP+JSON", GRPC: "gRPC" } as const;

/** Whether an agent is connected, in which version and over which binding. */
export function ConnectionBadge(): ComponentChild {
  const status = connectionStatus.value;
  const at = connection.value;
  const { tone, word } = looks[status] ?? { tone: "neutral", word: status };
  return (
    <span
      class="badge"
      data-testid="connection"
      data-status={status}
      data-version={at?.version}
      data-binding={at?.binding}
      data-error={connectionProblem.value?.code}
    >
      <span data-tone={tone}>
        <Mark tone={tone} />
        {word}
      </span>
      {at === undefined || status !== "connected" ? null : (
        <span>
          {at.version} · {bindings[at.binding]}
        </span>
      )}
    </span>
  );
}
