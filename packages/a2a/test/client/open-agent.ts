import { connect } from "@parley/a2a/client";
import type { AgentEvent, ConnectOptions, RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import type { AgentInterface, ProtocolVersion } from "@parley/a2a";

/** Every interface that a server of ours offers. */
export const interfaces: readonly (readonly [binding: string, version: ProtocolVersion])[] = [
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "1.0"],
  ["JSONRPC", "0.3"],
  ["HTTP+JSON", "0.3"],
  ["JSONRPC", "0.2"],
  ["JSONRPC", "0.1"],
  ["GRPC", "1.0"],
  ["GRPC", "0.3"],
];

/** Connects to an agent over one interface, whether or not its card lists it. */
export async function connectOver(
  url: string,
  [protocolBinding, protocolVersion]: readonly [binding: string, version: ProtocolVersion],
  options: ConnectOptions & { readonly grpcAddress?: string | undefined } = {},
): Promise<RemoteAgent> {
  const { card } = await connect(url, options);
  const address = protocolBinding === "GRPC" ? (options.grpcAddress ?? "") : url;
  const chosen: AgentInterface = { url: address, protocolBinding, protocolVersion };
  const transports = grpcTransports();
  return connect({ ...card, supportedInterfaces: [chosen] }, { transports, ...options });
}

/** The text of the artifacts as a reader of the events knows it, by the rules of the protocol. */
class TextReader {
  readonly #artifacts = new Map<string, string>();

  get text(): string {
    return [...this.#artifacts.values()].join("");
  }

  read(event: AgentEvent): void {
    if (event.kind === "task") {
      this.#artifacts.clear();
      for (const { artifactId, parts } of event.task.artifacts ?? []) {
        this.#artifacts.set(artifactId, parts.map((part) => part.text ?? "").join(""));
      }
    }
    if (event.kind !== "artifact") return;
    const { artifactId, parts } = event.artifact;
    const before = event.append === true ? (this.#artifacts.get(artifactId) ?? "") : "";
    this.#artifacts.set(artifactId, before + parts.map((part) => part.text ?? "").join(""));
  }
}

/** Everything that a stream tells, and the text that it comes to. Shows each event as it comes. */
export async function readAll(
  events: AsyncIterable<AgentEvent>,
  onEvent: (event: AgentEvent) => void = () => undefined,
): Promise<{ readonly events: readonly AgentEvent[]; readonly text: string }> {
  const reader = new TextReader();
  const all: AgentEvent[] = [];
  for await (const event of events) {
    all.push(event);
    reader.read(event);
    onEvent(event);
  }
  return { events: all, text: reader.text };
}

/** The states that events tell, in order, each once in a row. */
export function statesOf(events: readonly AgentEvent[]): readonly string[] {
  const states = events.flatMap((event) =>
    event.kind === "task"
      ? [event.task.status.state]
      : event.kind === "status"
        ? [event.status.state]
        : [],
  );
  return states
    .map((state) => state.slice("TASK_STATE_".length))
    .filter((state, index) => state !== states[index - 1]?.slice("TASK_STATE_".length));
}
