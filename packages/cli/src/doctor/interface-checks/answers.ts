import type { A2AError, AgentInterface } from "@parley/a2a";
import { unknownTaskId } from "../../probe/probe-message.js";
import { openSession } from "../../probe/session.js";
import { broken, fetchOf, labelOf, ok, warn } from "@parley/inspector/probe";
import type { Outcome } from "../../probe/session.js";
import type { Finding, Target } from "@parley/inspector/probe";
import type { InterfaceCheck } from "../check.js";

/** The interface is served where, how and in the version that the card says. Reads a task that does not exist. */
export const answers: InterfaceCheck = {
  name: "answers",
  proves: "The declared URL answers in the declared binding and version.",
  forStrangers: true,
  async run({ session, first: outcome, target }) {
    const { declared } = session;
    if (outcome.exchange?.redirectedTo !== undefined) {
      return broken(
        `${declared.url} redirects to ${outcome.exchange.redirectedTo}; a redirected POST may become a GET`,
        `declare ${outcome.exchange.redirectedTo} in the card`,
      );
    }
    const time = `${Math.round(outcome.ms)} ms`;
    if (isRightAnswer(outcome)) return ok(`${declared.url}, ${time}`);
    const { error } = outcome;
    if (error === undefined) {
      return warn(
        "a task that does not exist was found",
        "answer TaskNotFoundError for an unknown id: clients rely on it after a restart",
      );
    }
    if (isRefusal(error)) return ok(`${declared.url}, ${time}; it wants credentials`);
    return explain(declared, outcome, target);
  },
};

/** Whether an error says that the caller is not known or not allowed. */
export function isRefusal({ code }: A2AError): boolean {
  return code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED";
}

/** Whether an answer is that of an A2A server without such a task, and not any page for an unknown path. */
function isRightAnswer({ error, exchange }: Outcome<unknown>): boolean {
  if (error?.code !== "TASK_NOT_FOUND") return false;
  return exchange === undefined || /^\s*\{/.test(exchange.text());
}

async function explain(
  declared: AgentInterface,
  { error, exchange }: Outcome<unknown>,
  target: Target,
): Promise<Finding> {
  const said = error?.message ?? "";
  if (error?.code === "UNAVAILABLE" && exchange === undefined) {
    return broken(said, await adviseUnreachable(declared, target));
  }
  const other = await findWhatAnswers(declared, target);
  if (other !== undefined) {
    return broken(
      `${declared.url} does not answer as ${labelOf(declared)} (${said})`,
      `it answers as ${labelOf(other)}: declare protocolBinding ${JSON.stringify(other.protocolBinding)} and protocolVersion ${JSON.stringify(other.protocolVersion)} for this URL`,
    );
  }
  const status = exchange === undefined ? "" : `HTTP ${exchange.status}, `;
  if (error?.code === "VERSION_NOT_SUPPORTED" || error?.code === "METHOD_NOT_FOUND") {
    return broken(
      `the server does not serve ${labelOf(declared)}: ${status}${said}`,
      `remove this interface from the card, or serve version ${declared.protocolVersion} at ${declared.url}`,
    );
  }
  if (error?.code === "TASK_NOT_FOUND" || error?.code === "INVALID_AGENT_RESPONSE") {
    return broken(
      `${declared.url} does not speak A2A: ${status}${said}`,
      "correct the URL in the card, or let the proxy pass this path on to the agent",
    );
  }
  return warn(
    `a task that does not exist is answered with ${error?.code}: ${status}${said}`,
    "answer TaskNotFoundError for an unknown id: clients rely on it after a restart",
  );
}

/** Tries the other bindings and versions at the same URL. */
async function findWhatAnswers(
  declared: AgentInterface,
  target: Target,
): Promise<AgentInterface | undefined> {
  if (declared.protocolBinding === "GRPC") return undefined;
  const { protocolBinding: own } = declared;
  const bindings = own === "JSONRPC" ? ["JSONRPC", "HTTP+JSON"] : ["HTTP+JSON", "JSONRPC"];
  for (const protocolBinding of bindings) {
    for (const protocolVersion of protocolBinding === "JSONRPC"
      ? ["1.0", "0.3", "0.1"]
      : ["1.0", "0.3"]) {
      const other = { ...declared, protocolBinding, protocolVersion };
      if (labelOf(other) === labelOf(declared)) continue;
      using session = await openSession(target, other);
      if (isRightAnswer(await session.call("getTask", { id: unknownTaskId() }))) return other;
    }
  }
  return undefined;
}

async function adviseUnreachable({ url }: AgentInterface, target: Target): Promise<string> {
  const [, scheme = "", rest = ""] = /^(https?):(.*)$/.exec(url) ?? [];
  const swapped = scheme === "" ? undefined : `${scheme === "http" ? "https" : "http"}:${rest}`;
  const signal = AbortSignal.timeout(target.timeoutMs);
  const answer =
    swapped === undefined
      ? undefined
      : await fetchOf(target)(swapped, { signal }).catch(() => undefined);
  await answer?.body?.cancel();
  if (answer !== undefined) return `${swapped} answers: declare that URL, or serve ${scheme} there`;
  return "start the server at this address, open the port for callers, or correct the URL in the card";
}
