import type { AgentCard, AgentInterface } from "@parley/a2a";
import type { Fetch } from "@parley/a2a/client";
import { decodeAgentCard } from "@parley/a2a/wire";
import { signedIn } from "../auth/signed-in.js";
import type { ConnectOption } from "../connect/connect-options.js";
import { startDeadline } from "../connect/deadline.js";
import { parseBinding, parseVersion } from "../connect/parse-connection.js";
import { quote } from "../connect/next-command.js";
import { openWire } from "../connect/open-wire.js";
import { pickCredentials } from "../connect/pick-credentials.js";
import { readReference } from "../connect/read-reference.js";
import type { Invocation } from "../options/define-command.js";
import { parseWait } from "../options/parse-wait.js";
import { CliError } from "../output/cli-error.js";
import { UsageError } from "../usage-error.js";
import { fetchOf, findDocuments, labelOf } from "@parley/inspector/probe";
import type { FetchedDocument, Target } from "@parley/inspector/probe";

/** The options of every command that looks at an agent from outside. */
export const probeOptions = ["message", "call-timeout"] as const;

/** A command line that names an agent to look at, as its argument or by `--agent-card`. */
export type Probing = Invocation<ConnectOption | (typeof probeOptions)[number]>;

/** An agent to look at, and where its card was looked for. */
export interface OpenedTarget {
  readonly target: Target;
  readonly reference: string;
  readonly documents: readonly FetchedDocument[];
  readonly signal: AbortSignal;
}

/** Finds the card of an agent, and works with what it declares. Calls nothing but the places of cards itself. */
export async function withTarget<T>(
  invocation: Probing,
  work: (opened: OpenedTarget) => Promise<T>,
): Promise<T> {
  const { values, positionals, hint } = invocation;
  const reference = positionals[0] ?? values["agent-card"];
  if (reference === undefined) {
    throw new UsageError("there is no agent to look at; name one, or set A2ACLI_AGENT_CARD", {
      hint,
    });
  }
  const timeoutMs = parseWait("--call-timeout", values["call-timeout"], hint);
  using deadline = startDeadline(values.timeout, hint);
  const read = await readReference(reference);
  using wire = await openWire(invocation, { given: reference, reference: read });
  const { signal } = deadline;
  const connect = { ...wire.options, interceptors: wire.interceptors };
  const documents =
    typeof read === "string"
      ? await findDocuments(read, {
          fetch: boundBy(signal, fetchOf({ connect })),
          timeoutMs,
        }).catch((cause: unknown) => {
          throw new UsageError((cause as Error).message, { hint, cause });
        })
      : [];
  if (signal.aborted) throw tooLate(invocation, reference);
  const found = typeof read === "string" ? chooseCard(documents, reference) : fromFile(read);
  const own = {
    bearer: values.bearer,
    apiKey: values["api-key"],
    signedIn: signedIn(reference, read, { ...wire.options, config: values.config }),
  };
  const credentials = pickCredentials(found.card, own);
  const target: Target = {
    ...found,
    interfaces: chooseInterfaces(found.card, invocation),
    connect: { ...connect, ...(Object.keys(credentials).length > 0 && { credentials }) },
    timeoutMs,
    signal,
  };
  try {
    return await work({ target, reference, documents, signal });
  } catch (error) {
    throw signal.aborted ? tooLate(invocation, reference, error) : error;
  }
}

/** A fetch that also ends with a signal. */
function boundBy(signal: AbortSignal, fetch: Fetch): Fetch {
  return (url, init) => {
    const signals = [signal, ...(init.signal ? [init.signal] : [])];
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
}

function tooLate({ command, values }: Probing, reference: string, cause?: unknown): CliError {
  const message = `${command} was not done within ${values.timeout ?? "its time"} (--timeout)`;
  const hint = `parley card get -a ${quote(reference)} --debug`;
  return new CliError("A2ACLI_ERR_TIMEOUT", message, { hint, cause });
}

/** The interfaces that `--transport` and `--a2a-version` choose; all of them when neither is given. */
function chooseInterfaces(card: AgentCard, invocation: Probing): readonly AgentInterface[] {
  const { values, sources, hint } = invocation;
  const bindings = values.transport.map((one) => parseBinding(one, hint));
  const version =
    sources["a2a-version"] === "default" ? undefined : parseVersion(values["a2a-version"], hint);
  const chosen = card.supportedInterfaces.filter(
    ({ protocolBinding, protocolVersion }) =>
      (bindings.length === 0 || bindings.includes(protocolBinding)) &&
      (version === undefined || protocolVersion.startsWith(version)),
  );
  if (chosen.length > 0 || card.supportedInterfaces.length === 0) return chosen;
  const declared = card.supportedInterfaces.map(labelOf).join(", ");
  throw new UsageError(`the card declares no such interface, only ${declared}`, { hint });
}

type FoundCard = Pick<Target, "card" | "document" | "cardUrl">;

function fromFile(document: unknown): FoundCard {
  try {
    return { card: decodeAgentCard(document), document };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError("A2ACLI_ERR_CARD_INVALID", reason, { hint: "parley help card get", cause });
  }
}

/** The first card among the documents; an error that says what each place has answered when there is none. */
function chooseCard(documents: readonly FetchedDocument[], reference: string): FoundCard {
  for (const { card, document, url } of documents) {
    if (card !== undefined) return { card, document, cardUrl: url };
  }
  const answers = documents.map(
    ({ url, failure, problem, status }) => `${url} (${failure ?? problem ?? `HTTP ${status}`})`,
  );
  const isSilent = documents.every(({ failure }) => failure !== undefined);
  const isInvalid = documents.some(({ document }) => document !== undefined);
  const code = isSilent
    ? "A2ACLI_ERR_UNREACHABLE"
    : isInvalid
      ? "A2ACLI_ERR_CARD_INVALID"
      : "A2ACLI_ERR_CARD_NOT_FOUND";
  throw new CliError(code, `there is no agent card at ${answers.join(", ")}`, {
    hint: `parley card get -a ${quote(reference)} --debug`,
  });
}
