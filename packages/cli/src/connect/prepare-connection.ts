import type { ConnectOptions, Secrets } from "@parley/a2a/client";
import { signedIn } from "../auth/signed-in.js";
import type { Invocation } from "../options/define-command.js";
import type { OptionValues } from "../options/option-table.js";
import { parseWait } from "../options/parse-wait.js";
import { UsageError } from "../usage-error.js";
import type { ConnectOption } from "./connect-options.js";
import { startDeadline } from "./deadline.js";
import type { FailedCall } from "./explain-error.js";
import { openWire } from "./open-wire.js";
import { parseVersion } from "./parse-connection.js";
import type { OwnSecrets } from "./pick-credentials.js";
import { readReference } from "./read-reference.js";
import type { Reference } from "./read-reference.js";
import { noteTask } from "./seen-task.js";
import type { SeenTask } from "./seen-task.js";
import { verifyCard } from "./verify-card.js";

/** The outcome of verifying a card. */
export type Signature = Awaited<ReturnType<NonNullable<ConnectOptions["verifyCard"]>>>;

/** What the card of an agent was read from, known once there is a card. */
export interface CardEvidence {
  /** The document as it came. */
  document?: unknown;
  signature?: Signature;
}

/** Everything that connecting to an agent takes, made of the options of a command. */
export interface Connection extends Disposable {
  readonly reference: Reference;
  readonly options: ConnectOptions;
  /** Aborted when the time of `--timeout` is over. */
  readonly signal: AbortSignal;
  readonly seen: SeenTask;
  readonly evidence: CardEvidence;
  /** The caller's secrets, and where `connect` looks for them by the names of the card's schemes. */
  readonly own: OwnSecrets;
  readonly secrets: Record<string, Secrets[string]>;
  readonly hasSecrets: boolean;
  /** What errors are explained with. */
  readonly about: FailedCall;
}

/** An agent that does not answer is called twice: whoever types a command wants to know soon. */
const maxAttempts = 2;

/** Makes the options of `connect` from those of a command. */
export async function prepareConnection(
  invocation: Invocation<ConnectOption>,
): Promise<Connection> {
  const { values, hint } = invocation;
  const given = values["agent-card"];
  if (given === undefined) {
    const message = "there is no agent to call; name one with -a REF or A2ACLI_AGENT_CARD";
    throw new UsageError(message, { hint });
  }
  const versions = [parseVersion(values["a2a-version"], hint)];
  const pollMs = pollMsOf(invocation);
  const secrets: Connection["secrets"] = {};
  const seen: SeenTask = {};
  const evidence: CardEvidence = {};
  const reference = await readReference(given);
  const wire = await openWire(invocation, { given, reference });
  const own: OwnSecrets = {
    bearer: values.bearer,
    apiKey: values["api-key"],
    signedIn: signedIn(given, reference, { ...wire.options, config: values.config }),
    certificate: wire.certificate,
  };
  const hasSecrets = Object.values(own).some((one) => one !== undefined);
  const deadline = startDeadline(values.timeout, hint);
  const { signal } = deadline;
  return {
    reference,
    signal,
    seen,
    evidence,
    own,
    secrets,
    hasSecrets,
    about: { invocation, signal, seen },
    options: {
      ...wire.options,
      interceptors: [...wire.interceptors, noteTask(seen)],
      // `connect` looks into the credentials at each call, and their names are known once there is a card.
      ...(hasSecrets && { credentials: secrets }),
      versions,
      signal,
      patience: { maxAttempts, pollMs },
      verifyCard: async (document) => {
        evidence.document = document;
        evidence.signature = await verifyCard(document, given);
        return evidence.signature;
      },
    },
    [Symbol.dispose]() {
      deadline[Symbol.dispose]();
      wire[Symbol.dispose]();
    },
  };
}

function pollMsOf({ values, hint }: Invocation<ConnectOption>): number {
  const { "poll-interval": interval = "2s" } = values as Partial<OptionValues<"poll-interval">>;
  return parseWait("--poll-interval", interval, hint);
}
