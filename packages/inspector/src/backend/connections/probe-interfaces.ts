import { A2AError } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions } from "@parley/a2a/client";
import type { Connection, InterfaceReport } from "../../contract/index.js";
import { runCall } from "../record/current-call.js";
import { whyRefused } from "./describe-interfaces.js";
import type { InterfaceTerms } from "./describe-interfaces.js";

/** A card may list any number. */
const maxInterfaces = 16;
const timeoutMs = 5000;

/** Asks each interface of a card for a task that does not exist: an agent that says so, works. */
export async function probeInterfaces(
  { card, interfaces }: Pick<Connection, "card" | "interfaces">,
  options: ConnectOptions,
  { hasGrpc }: Pick<InterfaceTerms, "hasGrpc">,
): Promise<readonly InterfaceReport[]> {
  return Promise.all(
    interfaces.map(async (report, index) => {
      const declared = card.supportedInterfaces[index];
      if (declared === undefined || index >= maxInterfaces) return report;
      if (whyRefused(declared, { hasGrpc }) !== undefined) return report;
      const startedAt = performance.now();
      const found = await ask({ ...card, supportedInterfaces: [declared] }, options);
      return { ...report, answered: { ...found, ms: Math.round(performance.now() - startedAt) } };
    }),
  );
}

async function ask(
  card: Connection["card"],
  options: ConnectOptions,
): Promise<{ readonly isWorking: boolean; readonly detail: string }> {
  try {
    const agent = await connect(card, {
      ...options,
      patience: { maxAttempts: 1, maxReconnects: 0, stallMs: timeoutMs },
    });
    const call = { version: agent.version, signal: AbortSignal.timeout(timeoutMs) };
    const id = `probe-${crypto.randomUUID()}`;
    await runCall({ operation: "getTask", hops: [] }, () => agent.service.getTask({ id }, call));
    return { isWorking: false, detail: "it has a task that nobody has made" };
  } catch (error) {
    const { code, message } = A2AError.from(error);
    if (code === "TASK_NOT_FOUND")
      return { isWorking: true, detail: `answers in ${agentSays(card)}` };
    const isRefusal = code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED";
    return isRefusal
      ? { isWorking: true, detail: `answers, and wants credentials: ${message}` }
      : { isWorking: false, detail: `${code}: ${message}` };
  }
}

function agentSays({ supportedInterfaces: [one] }: Connection["card"]): string {
  return `${one?.protocolBinding} ${one?.protocolVersion}`;
}
