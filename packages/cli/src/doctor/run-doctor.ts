import { A2AError } from "@parley/a2a";
import type { AgentInterface } from "@parley/a2a";
import { endTasks } from "../probe/end-tasks.js";
import { unknownTaskId } from "../probe/probe-message.js";
import { openSession } from "../probe/session.js";
import { broken, cardChecks, labelOf, reasonOf, skipped } from "@parley/inspector/probe";
import type { Session } from "../probe/session.js";
import type { DoctorVisit, InterfaceCheck, InterfaceVisit } from "./check.js";
import type { Check, Diagnosis, Finding } from "@parley/inspector/probe";
import { answers, isRefusal } from "./interface-checks/answers.js";
import { interfaceChecks } from "./interface-checks/all.js";

/** A card may list any number. */
const maxInterfaces = 32;

/** Looks at an agent: at its card, then at each interface that the card declares, one check after the other. */
export async function* runDoctor(visit: DoctorVisit): AsyncGenerator<Diagnosis, void, void> {
  for (const check of cardChecks) {
    yield { ...about(check), ...(await settle(() => check.run(visit))) };
  }
  const { interfaces } = visit.target;
  for (const declared of interfaces.slice(0, maxInterfaces)) {
    yield* visitInterface(visit, declared);
  }
  for (const declared of interfaces.slice(maxInterfaces)) {
    const reason = `only the first ${maxInterfaces} interfaces are called; choose with --transport`;
    yield {
      ...about(answers),
      interface: labelOf(declared),
      url: declared.url,
      ...skipped(reason),
    };
  }
}

function about({
  name,
  proves,
}: Pick<Check<never>, "name" | "proves">): Pick<Diagnosis, "check" | "proves"> {
  return { check: name, proves };
}

async function* visitInterface(
  visit: DoctorVisit,
  declared: AgentInterface,
): AsyncGenerator<Diagnosis, void, void> {
  const place = { interface: labelOf(declared), url: declared.url };
  let session: Session;
  try {
    session = await openSession(visit.target, declared);
  } catch (error) {
    if (!A2AError.is(error) || error.code !== "VERSION_NOT_SUPPORTED") throw error;
    yield {
      ...about(answers),
      ...place,
      ...skipped(`this tool does not speak it: ${error.message}`),
    };
    return;
  }
  const begun = new Set<string>();
  try {
    const first = await session.call("getTask", { id: unknownTaskId() });
    const one: InterfaceVisit = { ...visit, session, first, begun };
    const opening = await settle(() => answers.run(one));
    yield { ...about(answers), ...place, ...opening };
    if (opening.verdict === "error") return;
    for (const check of interfaceChecks) {
      const reason = reasonToSkip(check, one);
      const finding = reason === undefined ? await settle(() => check.run(one)) : skipped(reason);
      yield { ...about(check), ...place, ...finding };
    }
  } finally {
    await endTasks(session, begun);
    session[Symbol.dispose]();
  }
}

function reasonToSkip(
  check: InterfaceCheck,
  { options, first }: InterfaceVisit,
): string | undefined {
  if (check.sends === true && !options.sends) return "--read-only sends no messages";
  const isStranger = first.error !== undefined && isRefusal(first.error);
  if (!isStranger || check.forStrangers === true) return undefined;
  return "the agent wants credentials; give them with --bearer or --api-key";
}

/** A check that throws has found something that it does not know. */
async function settle(run: () => Promise<Finding> | Finding): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    return broken(
      `the check failed: ${reasonOf(error)}`,
      "run it again with --debug, and report it",
    );
  }
}
