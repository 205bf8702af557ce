import { A2AError } from "@parley/a2a";
import type { AgentCard, ErrorCode } from "@parley/a2a";
import type { Invocation } from "../options/define-command.js";
import { CliError } from "../output/cli-error.js";
import { UsageError } from "../usage-error.js";
import type { ConnectOption } from "./connect-options.js";
import { credentialsHint } from "./credentials-hint.js";
import { agentFlags, nextCommand } from "./next-command.js";
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
  if (isOver(error, about)) return tooLate(about, error);
  if (!A2AError.is(error)) return error;
  const { code, message, details } = error;
  const hint = `parley card get${agentFlags(about.invocation)} --debug`;
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
  if (isOver(error, about)) return tooLate(about, error);
  if (!A2AError.is(error)) return error;
  const { code, message } = error;
  if (code === "UNAVAILABLE") return unreachable(error, about);
  if (code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED") {
    const isMissing = code === "UNAUTHENTICATED" && about.isAnonymous;
    const own = isMissing ? "A2ACLI_ERR_CREDENTIALS_MISSING" : "A2ACLI_ERR_AUTH_FAILED";
    return new CliError(own, forCommandLine(message), {
      hint: credentialsHint(about.card, about.invocation),
      cause: error,
    });
  }
  const { codecs } = await import("@parley/a2a/wire");
  const { code: a2aCode } = codecs["1.0"].encodeJsonRpcError(error);
  const { command, positionals } = about.invocation;
  const help = code === "TASK_NOT_CANCELABLE" ? `task get ${positionals[0]}` : hints[code];
  const flags = agentFlags(about.invocation);
  const hint = help === undefined ? `parley ${command}${flags} --debug` : `parley ${help}${flags}`;
  return new CliError(nameOf(code), forCommandLine(message), { hint, a2aCode, cause: error });
}

/** The commands that help after an error; the same one with its traffic when there is none. */
const hints: Readonly<Partial<Record<ErrorCode, string>>> = {
  TASK_NOT_FOUND: "task list",
  METHOD_NOT_FOUND: "card get",
  UNSUPPORTED_OPERATION: "card get",
  PUSH_NOTIFICATION_NOT_SUPPORTED: "card get",
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: "card get",
  VERSION_NOT_SUPPORTED: "card get",
};

/** The name that the specification gives an error (§3.3.2): `TaskNotFoundError` for `TASK_NOT_FOUND`. */
function nameOf(code: ErrorCode): `${string}Error` {
  if (code === "PARSE_ERROR") return "JSONParseError";
  const words = code.toLowerCase().split("_");
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")}Error`;
}

/** The message of an error, without advice for programs. */
function forCommandLine(message: string): string {
  return message
    .replaceAll(/;? ?(?:give )?connect\(\)[^;]*/g, "")
    .replace(/grpcTransports\(.*\)$/, "name its file in GRPC_DEFAULT_SSL_ROOTS_FILE_PATH");
}

function isOver(error: unknown, { signal }: FailedCall): boolean {
  return signal.aborted && !(error instanceof CliError) && !(error instanceof UsageError);
}

function tooLate({ invocation, seen }: FailedCall, cause: unknown): CliError {
  const { command, values } = invocation;
  const message = `${command} was not done within ${values.timeout ?? "its time"} (--timeout)`;
  const next = seen.task === undefined ? undefined : nextCommand(invocation, seen.task);
  const hint = next ?? `parley task list${agentFlags(invocation)}`;
  return new CliError("A2ACLI_ERR_TIMEOUT", message, { hint, cause });
}

function unreachable(error: A2AError, { invocation }: FailedCall): CliError {
  const hint = `parley card get${agentFlags(invocation)} --debug`;
  const message = forCommandLine(error.message);
  return new CliError("A2ACLI_ERR_UNREACHABLE", message, { hint, cause: error });
}

/** The error for a card without an interface in the version; the hint names a version that the card has. */
async function otherVersion(error: A2AError, { invocation }: FailedCall): Promise<CliError> {
  const { codecs } = await import("@parley/a2a/wire");
  const { code: a2aCode } = codecs["1.0"].encodeJsonRpcError(error);
  const [, version] = /allow version (\d+\.\d+)/.exec(error.message) ?? [];
  const [message = ""] = error.message.split("; allow ");
  const flags = agentFlags(invocation);
  const hint =
    version === undefined
      ? `parley card get${flags}`
      : `parley ${invocation.command}${flags} --a2a-version ${version}`;
  return new CliError("VersionNotSupportedError", message, { hint, a2aCode, cause: error });
}
