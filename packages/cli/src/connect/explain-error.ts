import { A2AError } from "@parley/a2a";
import type { AgentCard, ErrorCode } from "@parley/a2a";
import type { Invocation } from "../options/define-command.js";
import { CliError } from "../output/cli-error.js";
import { UsageError } from "../usage-error.js";
import type { ConnectOption } from "./connect-options.js";
import { credentialsHint } from "./credentials-hint.js";
import { parseVersion } from "./parse-connection.js";
import { agentFlags, nextCommand, quote, sameCommand } from "./next-command.js";
import type { SeenTask } from "./seen-task.js";

/** What is known of the call that failed. */
export interface FailedCall {
  readonly invocation: Invocation<ConnectOption>;
  readonly signal: AbortSignal;
  /** The task that the agent spoke of last. */
  readonly seen: SeenTask;
}

/** What is known once there is a card. */
export interface FailedAgentCall extends FailedCall {
  readonly card: AgentCard;
  /** Whether the caller has no secrets that the card asks for. */
  readonly isAnonymous: boolean;
}

/** Explains an error of finding the agent: nothing was asked of it yet. */
export async function explainCardError(error: unknown, about: FailedCall): Promise<unknown> {
  const hint = `parley card get${agentFlags(about.invocation)} --debug`;
  if (isOver(error, about)) return tooLate(about, hint, error);
  if (!A2AError.is(error)) return error;
  const { code, details } = error;
  const message = await messageOf(error, about);
  if (code === "UNAVAILABLE" && details.metadata?.["reference"] !== undefined) {
    return new CliError("A2ACLI_ERR_CARD_NOT_FOUND", message, { hint, cause: error });
  }
  if (code === "UNAVAILABLE" || code === "RESOURCE_EXHAUSTED") return unreachable(error, about);
  if (code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED") {
    return new CliError("A2ACLI_ERR_AUTH_FAILED", message, { hint, cause: error });
  }
  if (code === "VERSION_NOT_SUPPORTED") return otherVersion(error, about);
  // `connect` says so of what is no reference at all.
  const isReference = code === "INVALID_PARAMS" && details.metadata?.["body"] === undefined;
  if (isReference)
    return new UsageError(`--agent-card: ${message}`, { hint: "parley help card get" });
  return new CliError("A2ACLI_ERR_CARD_INVALID", message, { hint, cause: error });
}

/** Explains an error of a call: by the agent's own name for it, or by what went wrong on the way. */
export async function explainError(error: unknown, about: FailedAgentCall): Promise<unknown> {
  const { invocation } = about;
  const flags = agentFlags(invocation);
  if (isOver(error, about)) return tooLate(about, `parley ${listing(invocation)}${flags}`, error);
  if (!A2AError.is(error)) return error;
  const { code } = error;
  if (code === "UNAVAILABLE") return unreachable(error, about);
  const message = await messageOf(error, about);
  if (code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED") {
    const isMissing = code === "UNAUTHENTICATED" && about.isAnonymous;
    const own = isMissing ? "A2ACLI_ERR_CREDENTIALS_MISSING" : "A2ACLI_ERR_AUTH_FAILED";
    return new CliError(own, message, {
      hint: credentialsHint(about.card, invocation),
      cause: error,
    });
  }
  const { codecs } = await import("@parley/a2a/wire");
  const { code: a2aCode } = codecs["1.0"].encodeJsonRpcError(error);
  const help = helpFor(code, invocation);
  const hint =
    help === undefined ? sameCommand(invocation, "--debug", "debug") : `parley ${help}${flags}`;
  return new CliError(nameOf(code), message, { hint, a2aCode, cause: error });
}

/** The command that helps after an error; `undefined` where only its traffic does. */
function helpFor(code: ErrorCode, invocation: Invocation<ConnectOption>): string | undefined {
  if (code === "TASK_NOT_FOUND") return listing(invocation);
  if (code === "TASK_NOT_CANCELABLE") return `task get ${quote(invocation.positionals[0] ?? "")}`;
  return ofCard.includes(code) ? "card get" : undefined;
}

/** Errors that the card explains. */
const ofCard: readonly ErrorCode[] = [
  "METHOD_NOT_FOUND",
  "UNSUPPORTED_OPERATION",
  "PUSH_NOTIFICATION_NOT_SUPPORTED",
  "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
  "VERSION_NOT_SUPPORTED",
];

/** The command that finds tasks. Below 1.0 tasks cannot be listed, so that the card is all that there is to look at. */
function listing({ values, hint }: Invocation<ConnectOption>): string {
  return parseVersion(values["a2a-version"], hint) === "1.0" ? "task list" : "card get";
}

/** The name that the specification gives an error (§3.3.2): `TaskNotFoundError` for `TASK_NOT_FOUND`. */
function nameOf(code: ErrorCode): `${string}Error` {
  if (code === "PARSE_ERROR") return "JSONParseError";
  const words = code.toLowerCase().split("_");
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")}Error`;
}

/** The message of an error, without advice for programs, and without the secrets of the caller: an agent may repeat them. */
async function messageOf({ message }: A2AError, { invocation }: FailedCall): Promise<string> {
  const { secretRedactor } = await import("./secret-redactor.js");
  const redactor = await secretRedactor(invocation);
  return redactor
    .text(message)
    .replaceAll(/;? ?(?:give )?connect\(\)[^;]*/g, "")
    .replace(/grpcTransports\(.*\)$/, "name its file in GRPC_DEFAULT_SSL_ROOTS_FILE_PATH");
}

function isOver(error: unknown, { signal }: FailedCall): boolean {
  return signal.aborted && !(error instanceof CliError) && !(error instanceof UsageError);
}

/** The error for a command whose time is over. `otherwise` is what helps where no task is known. */
function tooLate({ invocation, seen }: FailedCall, otherwise: string, cause: unknown): CliError {
  const { command, values } = invocation;
  const message = `${command} was not done within ${values.timeout ?? "its time"} (--timeout)`;
  const next = seen.task === undefined ? undefined : nextCommand(invocation, seen.task);
  return new CliError("A2ACLI_ERR_TIMEOUT", message, { hint: next ?? otherwise, cause });
}

async function unreachable(error: A2AError, about: FailedCall): Promise<CliError> {
  const hint = `parley card get${agentFlags(about.invocation)} --debug`;
  const message = await messageOf(error, about);
  return new CliError("A2ACLI_ERR_UNREACHABLE", message, { hint, cause: error });
}

/** The error for a card without an interface in the version; the hint names a version that the card has. */
async function otherVersion(error: A2AError, { invocation }: FailedCall): Promise<CliError> {
  const { codecs } = await import("@parley/a2a/wire");
  const { code: a2aCode } = codecs["1.0"].encodeJsonRpcError(error);
  const [, version] = /allow version (\d+\.\d+)/.exec(error.message) ?? [];
  const [message = ""] = error.message.split("; allow ");
  const hint =
    version === undefined
      ? `parley card get${agentFlags(invocation)}`
      : sameCommand(invocation, `--a2a-version ${version}`, "a2a-version");
  return new CliError("VersionNotSupportedError", message, { hint, a2aCode, cause: error });
}
