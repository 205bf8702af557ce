/**
 * Measures a guard: calls and streams of a runtime in memory, with rules, limits and an audit log in front of it,
 * against the same runtime without. The two sides take turns, so that a busy machine slows both.
 */
import type { AgentService, CallContext } from "@parley/a2a";
import { CallLimiter, formatAuditEvent, guard, requireScopes } from "@parley/a2a/auth";
import { agent, openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { progress, report, time } from "./measure.js";

const rounds = 15;
const calls = 5000;
const chunks = 5000;

const principal = { subject: "ann", scopes: ["a2a:send", "a2a:read"] };
const call: CallContext = { version: "1.0", principal, requestId: "r", address: "192.0.2.1" };
const many = { requests: { perSecond: 1e9, burst: 1e9 }, concurrentStreams: 1e6 };

export async function benchGuard(): Promise<boolean> {
  const subject = agent({
    name: "Bench",
    description: "Streams so many chunks",
    async *run({ text }) {
      for (let left = Number(text); left > 0; left -= 1) yield "chunk ";
    },
  });
  await using runtime = await openRuntime({ agent: subject, store: createMemoryStore() });
  let written = 0;
  const guarded = guard(runtime, {
    authorize: requireScopes(),
    limiter: new CallLimiter({ perPrincipal: many, perAddress: many }),
    audit: { record: (event) => (written += formatAuditEvent(event).length) },
  });
  const { task } = await runtime.sendMessage(messageOf("1"), call);
  const id = task?.id ?? "";

  progress("calls through a guard");
  const gets = async (service: AgentService): Promise<void> => {
    for (let count = 0; count < calls; count += 1) await service.getTask({ id }, call);
  };
  const unary = await ratioOf(gets, runtime, guarded);
  progress("streams through a guard");
  const streams = async (service: AgentService): Promise<void> => {
    const { task: long } = await service.sendMessage(messageOf(String(chunks)), call);
    const resumed = { ...call, resumeAfter: 1 };
    let events = 0;
    for await (const _ of service.subscribeToTask({ id: long?.id ?? "" }, resumed)) events += 1;
    if (events < chunks) throw new Error(`only ${events} events were told`);
  };
  const streaming = await ratioOf(streams, runtime, guarded);
  if (written === 0) throw new Error("nothing was written down");
  const isUnaryMet = report({
    name: "a small call through a guard with rules, limits and audit against one without",
    value: unary.ratio,
    unit: "×",
    bar: 4,
    note: `, ${((unary.guardedMs * 1000) / calls).toFixed(1)} µs against ${((unary.plainMs * 1000) / calls).toFixed(1)}`,
  });
  const isStreamMet = report({
    name: "a run of 5,000 chunks and its stream through a guard against one without",
    value: streaming.ratio,
    unit: "×",
    bar: 1.3,
  });
  return isUnaryMet && isStreamMet;
}

async function ratioOf(
  work: (service: AgentService) => Promise<void>,
  plain: AgentService,
  guarded: AgentService,
): Promise<{ readonly ratio: number; readonly plainMs: number; readonly guardedMs: number }> {
  await work(plain);
  await work(guarded);
  const times: { readonly plainMs: number; readonly guardedMs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push({
      guardedMs: await time(() => work(guarded)),
      plainMs: await time(() => work(plain)),
    });
  }
  const ratios = times.map(({ plainMs, guardedMs }) => guardedMs / plainMs);
  return {
    ratio: median(ratios),
    plainMs: median(times.map(({ plainMs }) => plainMs)),
    guardedMs: median(times.map(({ guardedMs }) => guardedMs)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

let messages = 0;

function messageOf(text: string): Parameters<AgentService["sendMessage"]>[0] {
  messages += 1;
  return { message: { messageId: `m${messages}`, role: "ROLE_USER", parts: [{ text }] } };
}
