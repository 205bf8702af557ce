import type {
  AgentCard,
  AgentInterface,
  AgentService,
  ProtocolVersion,
} from "../protocol/internal.js";
import { openRuntime } from "../server/internal.js";
import { createMemoryStore } from "../store/memory/internal.js";
import { toCases } from "./contract-case.js";
import type { ContractCase, Skip } from "./contract-case.js";
import { contractAgent } from "./transport-contract/contract-agent.js";
import { methodCases } from "./transport-contract/method-cases.js";
import { pushCases } from "./transport-contract/push-cases.js";
import { refusalCases } from "./transport-contract/refusal-cases.js";
import { sendCases } from "./transport-contract/send-cases.js";
import { streamCases } from "./transport-contract/stream-cases.js";
import { taskCases } from "./transport-contract/task-cases.js";
import type { TransportBench } from "./transport-contract/transport-bench.js";

/** The agent to serve at the far end of a transport. */
export interface ServedAgent {
  readonly service: AgentService;
  card(interfaces: readonly AgentInterface[]): AgentCard;
  /** The methods of its extensions. */
  readonly methods: readonly string[];
}

/** The near end of a transport: the same agent as the caller reaches it. */
export interface ConnectedTransport {
  readonly service: AgentService;
  close(): Promise<void>;
}

export interface CheckTransportOptions {
  /** The protocol version that the transport speaks. */
  readonly version: ProtocolVersion;
  readonly skip?: readonly Skip[];
}

const statements = {
  ...sendCases,
  ...streamCases,
  ...taskCases,
  ...pushCases,
  ...refusalCases,
  ...methodCases,
};

/**
 * The contract of transports as cases for any test runner: what callers may expect of an agent however they reach
 * it. `connect` serves the given agent and connects to it; every case has its own.
 *
 * @example
 * const cases = checkTransport(async ({ service }) => ({ service, close: async () => {} }), { version: "1.0" });
 */
export function checkTransport(
  connect: (served: ServedAgent) => Promise<ConnectedTransport>,
  { version, skip = [] }: CheckTransportOptions,
): readonly ContractCase[] {
  return toCases(statements, (statement) => useBench(connect, version, statement), skip);
}

async function useBench(
  connect: (served: ServedAgent) => Promise<ConnectedTransport>,
  version: ProtocolVersion,
  statement: (bench: TransportBench) => Promise<void>,
): Promise<void> {
  const card = (interfaces: readonly AgentInterface[]): AgentCard => contractAgent.card(interfaces);
  await using store = createMemoryStore();
  await using runtime = await openRuntime({
    agent: contractAgent,
    store,
    report: () => {},
    settings: { stopGraceMs: 100, cancelGraceMs: 1000, extendedCardForAnyone: true },
  });
  const transport = await connect({ service: runtime, card, methods: runtime.methods });
  try {
    await statement({ service: transport.service, version, call: { version } });
  } finally {
    await transport.close();
  }
}
