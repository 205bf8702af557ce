import { A2AError, callOnce, callStream, connect } from "@parley/a2a";
import type {
  AgentInterface,
  CallableService,
  ProtocolVersion,
  RequestOf,
  ResultOf,
  StreamResponse,
  StreamingOperation,
  UnaryOperation,
} from "@parley/a2a";
import { grpcOnDemand } from "../connect/grpc-on-demand.js";
import { fetchOf, labelOf } from "@parley/inspector/probe";
import type { Target } from "@parley/inspector/probe";
import { runTapped, tappedFetch } from "./tap.js";
import type { Exchange, OutgoingRequest, Tapping } from "./tap.js";

/** How a call deviates from what the client would do by itself. */
export interface ProbeOptions {
  /** Changes the request on its way; over gRPC there is no such way. */
  readonly alter?: (request: OutgoingRequest) => OutgoingRequest;
  readonly timeoutMs?: number;
  /** Is made also when the time for everything is over. */
  readonly outlivesDeadline?: true;
}

/** What became of a call: a result or an error, and the exchange on the wire where there is one. */
export interface Outcome<T> {
  readonly result?: T;
  readonly error?: A2AError;
  readonly exchange?: Exchange;
  readonly ms: number;
}

/** An event and when it arrived, in milliseconds since the call began. */
export interface Arrival {
  readonly response: StreamResponse;
  readonly atMs: number;
}

/** What became of a stream. */
export interface Streamed {
  readonly arrivals: readonly Arrival[];
  readonly error?: A2AError;
  readonly exchange?: Exchange;
  readonly endedAtMs: number;
  /** The stream went on when the time for it was up. */
  readonly isCutShort: boolean;
}

/** One interface of an agent, called without retries and within a time. */
export interface Session extends Disposable {
  readonly declared: AgentInterface;
  readonly version: ProtocolVersion;
  /** Such as `JSONRPC 1.0`. */
  readonly label: string;
  call<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    options?: ProbeOptions,
  ): Promise<Outcome<ResultOf<O>>>;
  /** Reads a stream to its end, or until `isEnough` says so. */
  stream<O extends StreamingOperation>(
    operation: O,
    request: RequestOf<O>,
    options?: ProbeOptions & { readonly isEnough?: (arrival: Arrival) => boolean },
  ): Promise<Streamed>;
}

/** The most that an answer or an event may have. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** The most events that are read of a stream. */
const maxEvents = 10_000;

export interface SessionOptions {
  /** Whether exchanges are kept, and may be altered; `true` when absent. Measurements are better off without. */
  readonly records?: boolean;
}

/**
 * Opens a session with one interface. Rejects with `VERSION_NOT_SUPPORTED` for a binding or a version that this client
 * does not speak.
 */
export async function openSession(
  target: Target,
  declared: AgentInterface,
  { records = true }: SessionOptions = {},
): Promise<Session> {
  const { cardUrl, connect: given } = target;
  const grpc = grpcOnDemand();
  const open = given.transports?.["GRPC"] ?? grpc.open;
  const agent = await connect(
    { ...target.card, supportedInterfaces: [declared] },
    {
      ...given,
      ...(cardUrl !== undefined && { credentialsOrigin: cardUrl }),
      fetch: tappedFetch(fetchOf(target)),
      // Whether the card came over TLS decides how a bare address is called.
      transports: { GRPC: (chosen, source) => open(chosen, { ...source, cardUrl }) },
      maxAnswerBytes,
      patience: { maxAttempts: 1, maxReconnects: 0, stallMs: target.timeoutMs },
    },
  );
  return createSession(agent.service, { target, declared, version: agent.version, grpc, records });
}

interface Opened {
  readonly target: Target;
  readonly declared: AgentInterface;
  readonly version: ProtocolVersion;
  readonly grpc: Disposable;
  readonly records: boolean;
}

function createSession(
  service: CallableService,
  { target, declared, version, grpc, records }: Opened,
): Session {
  const extensions = (target.card.capabilities.extensions ?? [])
    .filter(({ required }) => required === true)
    .map(({ uri }) => uri);

  const run = <T>(tapping: Tapping, call: () => T): T =>
    records ? runTapped(tapping, call) : call();

  const begin = ({ alter, timeoutMs = target.timeoutMs, outlivesDeadline }: ProbeOptions) => {
    const startedAt = performance.now();
    const expiry = AbortSignal.timeout(timeoutMs);
    return {
      expiry,
      tapping: { exchanges: [] as Exchange[], ...(alter !== undefined && { alter }) },
      elapsed: () => performance.now() - startedAt,
      context: {
        version,
        signal:
          target.signal === undefined || outlivesDeadline === true
            ? expiry
            : AbortSignal.any([expiry, target.signal]),
        ...(extensions.length > 0 && { extensions }),
      },
    };
  };

  return {
    declared,
    version,
    label: labelOf(declared),
    async call(operation, request, options = {}) {
      const { expiry, tapping, elapsed, context } = begin(options);
      const outcome = await run(tapping, () =>
        callOnce(service, operation, request, context).then(
          (result) => ({ result }),
          (error: unknown) => ({ error: expiry.aborted ? late(elapsed()) : A2AError.from(error) }),
        ),
      );
      return { ...outcome, ...lastOf(tapping.exchanges), ms: elapsed() };
    },
    async stream(operation, request, options = {}) {
      const { expiry, tapping, elapsed, context } = begin(options);
      const { isEnough = () => false } = options;
      const arrivals: Arrival[] = [];
      let error: A2AError | undefined;
      await run(tapping, async () => {
        try {
          for await (const { response } of callStream(service, operation, request, context)) {
            const arrival = { response, atMs: elapsed() };
            arrivals.push(arrival);
            if (isEnough(arrival) || arrivals.length >= maxEvents) break;
          }
        } catch (caught) {
          error = A2AError.from(caught);
        }
      });
      const isCutShort = error !== undefined && expiry.aborted;
      return {
        arrivals,
        ...(error !== undefined && { error: isCutShort ? late(elapsed()) : error }),
        ...lastOf(tapping.exchanges),
        endedAtMs: elapsed(),
        isCutShort,
      };
    },
    [Symbol.dispose]() {
      grpc[Symbol.dispose]();
    },
  };
}

function late(ms: number): A2AError {
  return new A2AError("UNAVAILABLE", `there was no answer within ${Math.round(ms / 100) / 10} s`);
}

function lastOf(exchanges: readonly Exchange[]): { readonly exchange?: Exchange } {
  const exchange = exchanges.at(-1);
  return exchange === undefined ? {} : { exchange };
}
