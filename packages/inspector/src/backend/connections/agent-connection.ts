import { callOnce } from "@parley/a2a";
import type {
  AgentCard,
  CallContext,
  ProtocolVersion,
  RequestOf,
  UnaryOperation,
} from "@parley/a2a";
import type {
  ConnectOptions,
  Fetch,
  Interceptor,
  RemoteAgent,
  TransportFactory,
} from "@parley/a2a/client";
import type {
  Binding,
  CallAnswer,
  CallEvent,
  CallRequest,
  Connection,
  ConnectionRequest,
  Fault,
  Resumption,
} from "../../contract/index.js";
import { findDocuments } from "../../probe/index.js";
import type { FetchedDocument, Target } from "../../probe/index.js";
import { createRedactor, secretPlacesOf } from "../../record/index.js";
import type { Redactor } from "../../record/index.js";
import { problemOf } from "../http/answers.js";
import { Refusal } from "../http/refusal.js";
import { currentCall, runCall } from "../record/current-call.js";
import type { HopRing } from "../record/hop-ring.js";
import { recordFetch } from "../record/record-fetch.js";
import { recordGrpc } from "../record/record-grpc.js";
import type { GrpcOnDemand } from "../record/record-grpc.js";
import { StreamGate } from "../record/stream-gate.js";
import { checkSignature } from "./check-signature.js";
import { connectTo } from "./connect-to.js";
import { describeInterfaces } from "./describe-interfaces.js";
import type { InterfaceTerms } from "./describe-interfaces.js";
import { lintCard } from "./lint-card.js";
import type { ParsedRaw } from "./parse-raw.js";
import { probeInterfaces } from "./probe-interfaces.js";
import { sendRaw } from "./send-raw.js";
import { streamCall } from "./stream-call.js";

/** What connections share. */
export interface ConnectionContext {
  readonly ring: HopRing;
  /** What carries requests. Beside a server, one that reaches its own agents only. */
  readonly fetch: Fetch;
  /** Whether agents are called without a socket, so that there is no gRPC. */
  readonly isInProcess: boolean;
  /** Whether a URL may be connected to. */
  readonly isOwn: (url: string) => boolean;
  readonly onResumed: (resumption: Resumption) => void;
  readonly nextId: () => number;
}

const timeoutMs = 15_000;

/** A stream that is silent for this long counts as lost, so that a silence of 70 s shows how the client goes on. */
const stallMs = 60_000;

/** An agent that the inspector is connected to, and all that is known of it. */
export class AgentConnection {
  readonly id: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly #context: ConnectionContext;
  readonly #wanted: ConnectionRequest;
  readonly #gate = new StreamGate();
  readonly #fetch: Fetch;
  readonly #grpc: GrpcOnDemand | undefined;
  #redactor: Redactor;
  #chosen: { version: ProtocolVersion; binding: Binding; dialect: string } | undefined;
  #agent: RemoteAgent | undefined;
  #view: Connection | undefined;

  constructor(
    id: string,
    wanted: ConnectionRequest,
    secrets: Readonly<Record<string, string>>,
    context: ConnectionContext,
  ) {
    this.id = id;
    this.secrets = secrets;
    this.#context = context;
    this.#wanted = wanted;
    this.#redactor = createRedactor(this.#knownSecrets());
    const recording = {
      connection: id,
      ring: context.ring,
      gate: this.#gate,
      redactor: () => this.#redactor,
      chosen: () => this.#chosen,
    };
    this.#fetch = recordFetch(context.fetch, recording);
    this.#grpc = context.isInProcess ? undefined : recordGrpc(recording);
  }

  /** What the page is told. */
  get view(): Connection {
    if (this.#view === undefined) throw new Error("the connection is not open");
    return this.#view;
  }

  get redactor(): Redactor {
    return this.#redactor;
  }

  /** Finds the card, looks at it, and chooses an interface. */
  async open(): Promise<void> {
    const { url } = this.#wanted;
    const documents = await runCall({ hops: [] }, () =>
      findDocuments(url, { fetch: this.#fetch, timeoutMs }),
    );
    const { card, document, cardUrl, cardText } = chooseCard(documents, url);
    this.#redactor = createRedactor(this.#knownSecrets(), secretPlacesOf(card));
    const options = this.#connectOptions(cardUrl);
    const agent = await connectTo(card, options, this.#terms);
    const chosen = { version: agent.version, binding: agent.binding as Binding };
    this.#chosen = { ...chosen, dialect: dialectOf(chosen) };
    this.#agent = agent;
    const target: Target = {
      card,
      interfaces: card.supportedInterfaces,
      document,
      cardUrl,
      connect: options,
      timeoutMs,
    };
    const [lint, signature] = await runCall({ hops: [] }, () =>
      Promise.all([
        lintCard({ target, documents, options: {} }),
        checkSignature(document, cardUrl, this.#fetch),
      ]),
    );
    this.#view = {
      id: this.id,
      url,
      card,
      cardText,
      cardUrl,
      lint,
      signature,
      interfaces: describeInterfaces(card, { url: agent.url, ...chosen }, this.#terms),
      ...chosen,
      secrets: Object.keys(this.secrets),
    };
  }

  /** Calls an operation that has one answer. */
  async call(request: CallRequest): Promise<CallAnswer> {
    const operation = request.operation as UnaryOperation;
    const hops: number[] = [];
    try {
      const result = await runCall({ operation, hops }, () =>
        callOnce(
          this.#opened.service,
          operation,
          request.request as RequestOf<UnaryOperation>,
          this.#callContext(request),
        ),
      );
      return { result, hops } as CallAnswer;
    } catch (error) {
      return { error: problemOf(error), hops };
    }
  }

  /** Calls an operation that streams. */
  stream(request: CallRequest): AsyncGenerator<CallEvent, void, void> {
    const { idempotencyKey, extensions, serviceParameters } = request;
    return streamCall({
      agent: this.#opened,
      connection: this.id,
      operation: request.operation as "sendStreamingMessage",
      request: request.request as RequestOf<"sendStreamingMessage">,
      options: {
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(extensions !== undefined && { extensions }),
        ...(serviceParameters !== undefined && { serviceParameters }),
      },
      onResumed: this.#context.onResumed,
      nextId: this.#context.nextId,
    });
  }

  /** Sends bytes as a person has edited them, to the origin of the agent and to no other; resolves to the hop. */
  raw(request: ParsedRaw): Promise<number> {
    const origins = [this.view.cardUrl, this.#opened.url].flatMap((url) =>
      /^https?:/i.test(url) ? [new URL(url).origin] : [],
    );
    const { cardUrl } = this.view;
    return sendRaw(request, {
      origins,
      base: this.#opened.binding === "GRPC" ? cardUrl : this.#opened.url,
      fetch: this.#fetch,
      ring: this.#context.ring,
      secretOf: (name) => this.#secretHeader(name),
    });
  }

  /** Calls every interface of the card that this client speaks, and says what each has answered. */
  async probe(): Promise<Connection["interfaces"]> {
    const options = this.#connectOptions(this.view.cardUrl);
    const interfaces = await probeInterfaces(this.view, options, this.#terms);
    this.#view = { ...this.view, interfaces };
    return interfaces;
  }

  fault(fault: Fault): void {
    this.#gate.set(fault);
  }

  close(): void {
    this.#gate.set({ kind: "cut" });
    this.#grpc?.[Symbol.dispose]();
  }

  /** What a person has asked for, and whether there is gRPC. */
  get #terms(): InterfaceTerms {
    const { version, binding } = this.#wanted;
    return {
      hasGrpc: this.#grpc !== undefined,
      ...(version !== undefined && { version }),
      ...(binding !== undefined && { binding }),
    };
  }

  get #opened(): RemoteAgent {
    if (this.#agent === undefined) throw new Error("the connection is not open");
    return this.#agent;
  }

  #callContext(request: CallRequest): CallContext {
    const { idempotencyKey, extensions, serviceParameters } = request;
    return {
      version: this.#opened.version,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(extensions !== undefined && { extensions }),
      ...(serviceParameters !== undefined && { serviceParameters }),
    };
  }

  /** The value of a header that the page has only seen as `[redacted]`. */
  #secretHeader(name: string): string | undefined {
    const own = Object.entries(this.#wanted.headers ?? {}).find(
      ([given]) => given.toLowerCase() === name.toLowerCase(),
    )?.[1];
    if (own !== undefined) return own;
    for (const [scheme, secret] of Object.entries(this.secrets)) {
      const described = this.view.card.securitySchemes?.[scheme];
      const key = described?.apiKeySecurityScheme;
      if (key?.location === "header" && key.name.toLowerCase() === name.toLowerCase())
        return secret;
      if (key === undefined && name.toLowerCase() === "authorization") return `Bearer ${secret}`;
    }
    return undefined;
  }

  #connectOptions(cardUrl: string): ConnectOptions {
    const { headers } = this.#wanted;
    return {
      fetch: this.#fetch,
      credentialsOrigin: cardUrl,
      interceptors: [exactly],
      ...(this.#grpc && { transports: { GRPC: this.#openGrpc(this.#grpc, cardUrl) } }),
      patience: { stallMs },
      ...(headers !== undefined && { headers }),
      ...(Object.keys(this.secrets).length > 0 && { credentials: this.secrets }),
    };
  }

  /** A bare address is called over TLS if the card came over it, which a card that is given does not tell. */
  #openGrpc(grpc: GrpcOnDemand, cardUrl: string): TransportFactory {
    return (chosen, source) => grpc.open(chosen, { ...source, cardUrl });
  }

  /** All that must not be seen: the secrets, and the values of headers that a person has added. */
  #knownSecrets(): readonly string[] {
    const { headers = {} } = this.#wanted;
    return [...Object.values(this.secrets), ...Object.values(headers)];
  }
}

/** Sends the message as the page has made it, says what each request is, and tells of each event as the agent has sent it. */
const exactly: Interceptor = {
  before(outgoing) {
    const call = currentCall();
    if (call?.operation !== undefined) call.operation = outgoing.operation;
    const exact = call?.exact;
    if (exact === undefined || outgoing.operation !== "sendStreamingMessage") return undefined;
    return { ...outgoing, request: exact };
  },
  after(answer) {
    if (answer.operation !== "sendStreamingMessage" && answer.operation !== "subscribeToTask")
      return;
    currentCall()?.onEvent?.(answer.result.sequence);
  },
};

function dialectOf({ version, binding }: { version: ProtocolVersion; binding: Binding }): string {
  if (version === "1.0") return "1.0";
  if (binding !== "JSONRPC") return "0.3-proto";
  return version === "0.1" ? "0.1" : "0.3";
}

interface FoundCard {
  readonly card: AgentCard;
  readonly document: unknown;
  readonly cardUrl: string;
  readonly cardText: string;
}

/** The first card among the documents; an error that says what each place has answered when there is none. */
function chooseCard(documents: readonly FetchedDocument[], reference: string): FoundCard {
  for (const { card, document, url, text = "" } of documents) {
    if (card !== undefined) return { card, document, cardUrl: url, cardText: text };
  }
  const answers = documents.map(
    ({ url, failure, problem, status }) => `${url} (${failure ?? problem ?? `HTTP ${status}`})`,
  );
  const isSilent = documents.every(({ failure }) => failure !== undefined);
  const message = `there is no agent card at ${answers.join(", ")}`;
  const hint = isSilent
    ? `Nothing answers at ${reference}. Start the agent, or correct the URL.`
    : "Give the URL of the agent, or of its card.";
  throw new Refusal(502, isSilent ? "UNAVAILABLE" : "INVALID_AGENT_RESPONSE", message, { hint });
}
