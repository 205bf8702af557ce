import { A2AError } from "@parley/a2a";
import type { AgentInterface } from "@parley/a2a";
import { labelOf, reasonOf } from "@parley/inspector/probe";
import { openSession } from "../probe/session.js";
import type { Session } from "../probe/session.js";
import type { ConformanceCheck, Observation, Status } from "./check.js";
import { fail, skip } from "./check.js";
import { cardConformanceChecks } from "./checks/card.js";
import type { CardSubject } from "./checks/card.js";
import { deliveryChecks } from "./checks/deliveries.js";
import { grpcChecks } from "./checks/grpc.js";
import { jsonChecks } from "./checks/json-form.js";
import { jsonRpcChecks } from "./checks/json-rpc.js";
import { listChecks } from "./checks/lists.js";
import { messageChecks } from "./checks/messages.js";
import { negotiationChecks } from "./checks/negotiation.js";
import { pushChecks } from "./checks/push.js";
import { restChecks } from "./checks/rest.js";
import { sendChecks } from "./checks/send.js";
import { streamChecks } from "./checks/streams.js";
import { subscriptionChecks } from "./checks/subscriptions.js";
import { taskChecks } from "./checks/tasks.js";
import { requirements } from "./requirements.js";
import type { Level, RequirementId } from "./requirements.js";
import { Subject } from "./subject.js";
import type { ConformanceOptions } from "./subject.js";

/** Whether a requirement holds at an interface, or in the card. */
export interface ConformanceResult {
  readonly id: RequirementId;
  readonly level: Level;
  readonly section: string;
  readonly requirement: string;
  /** The interface, such as `JSONRPC 1.0`, or `card`. */
  readonly interface: string;
  readonly status: Status;
  readonly found: string;
  readonly ms: number;
}

const checks: readonly ConformanceCheck[] = [
  ...sendChecks,
  ...messageChecks,
  ...streamChecks,
  ...subscriptionChecks,
  ...taskChecks,
  ...listChecks,
  ...pushChecks,
  ...deliveryChecks,
  ...jsonRpcChecks,
  ...restChecks,
  ...grpcChecks,
  ...jsonChecks,
  ...negotiationChecks,
];

/** A card may list any number. */
const maxInterfaces = 32;

/** Checks the requirements that show from outside: of the card, then of each interface that it declares. */
export async function* runConformance(
  { target, documents }: CardSubject,
  options: ConformanceOptions,
): AsyncGenerator<ConformanceResult, void, void> {
  for (const check of cardConformanceChecks) {
    yield await judge(check.id, "card", () => check.run({ target, documents }));
  }
  for (const declared of target.interfaces.slice(0, maxInterfaces)) {
    yield* checkInterface(target, declared, options);
  }
}

async function* checkInterface(
  target: CardSubject["target"],
  declared: AgentInterface,
  options: ConformanceOptions,
): AsyncGenerator<ConformanceResult, void, void> {
  const label = labelOf(declared);
  let session: Session;
  try {
    session = await openSession(target, declared);
  } catch (error) {
    if (!A2AError.is(error) || error.code !== "VERSION_NOT_SUPPORTED") throw error;
    yield await judge("card:interface-accurate", label, () =>
      skip(`this tool does not speak it: ${error.message}`),
    );
    return;
  }
  const subject = new Subject(target, session, options);
  try {
    const first = await judge("card:interface-accurate", label, () => isAccurate(subject));
    yield first;
    if (first.status !== "pass") return;
    for (const check of checks) {
      const { versions = ["1.0"], bindings = [declared.protocolBinding] } = check;
      if (!versions.includes(session.version) || !bindings.includes(declared.protocolBinding))
        continue;
      yield await judge(check.id, label, () => check.run(subject));
    }
  } finally {
    await subject.end();
    session[Symbol.dispose]();
  }
}

/** Whether the interface answers at all; nothing else can be seen where it does not. */
async function isAccurate(subject: Subject): Promise<Observation> {
  const { error } = await subject.session.call("getTask", { id: crypto.randomUUID() });
  const { url } = subject.session.declared;
  if (error?.code === "UNAUTHENTICATED" || error?.code === "PERMISSION_DENIED") {
    return skip("the agent wants credentials; give them with --bearer or --api-key");
  }
  const unfit = [
    "UNAVAILABLE",
    "INVALID_AGENT_RESPONSE",
    "METHOD_NOT_FOUND",
    "VERSION_NOT_SUPPORTED",
  ];
  if (error !== undefined && unfit.includes(error.code))
    return fail(`${error.code}: ${error.message}`);
  return { status: "pass", found: url };
}

async function judge(
  id: RequirementId,
  label: string,
  run: () => Promise<Observation> | Observation,
): Promise<ConformanceResult> {
  const startedAt = performance.now();
  const { level, section, text: requirement } = requirements[id];
  const observation = await Promise.resolve()
    .then(run)
    .catch((error: unknown) => fail(`the check failed: ${reasonOf(error)}`));
  const ms = Math.round(performance.now() - startedAt);
  return { id, level, section, requirement, interface: label, ...observation, ms };
}
