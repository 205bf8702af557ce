import type { Shape } from "../load/shapes.js";
import type { Lab } from "./lab.js";
import type { Subject } from "./subject.js";

/** How many connections send at the same time. */
export const manyConnections = 64;

export interface Sending {
  readonly requests: readonly string[];
  readonly shape?: Shape;
  readonly connections?: number;
  readonly forMs?: number;
  /** For the shape `spread`. */
  readonly perSecond?: number;
  /** Asks what answers cost. For loads that ask less of a server than it can give, as `spread` does. */
  readonly isByCost?: boolean;
}

/** Returns how many answers a server gives in a second; by their cost: in a second of its processor time. */
export async function answersPerSecond(
  lab: Lab,
  subject: Subject,
  {
    requests,
    shape = "busy",
    connections = manyConnections,
    forMs = 500,
    perSecond = 2000,
    isByCost = shape === "spread",
  }: Sending,
): Promise<number> {
  const plan = { requests, shape, connections, forMs: lab.ms(forMs), perSecond };
  if (!isByCost) return (await lab.generator.http(subject, plan)).perSecond;
  let answers = 0;
  const cpuMicros = await subject.cpuFor(async () => {
    answers = (await lab.generator.http(subject, plan)).answers;
  });
  return (answers / cpuMicros) * 1e6;
}

/** Throws when a server does not answer as it should, so that no wrong answers are timed. */
export async function expectAnswer(
  lab: Lab,
  subject: Subject,
  request: string,
  { holding, times = 1 }: { readonly holding: string; readonly times?: number },
): Promise<string> {
  const answer = await lab.generator.read(subject, request);
  if (answer.split(holding).length - 1 >= times) return answer;
  throw new Error(`expected ${holding} ${times} times in ${answer.slice(0, 1000)}`);
}

/** Makes a task and returns its id. */
export async function taskIn(lab: Lab, subject: Subject, request: string): Promise<string> {
  const answer = await lab.generator.read(subject, request);
  const id = /"task":\{"id":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`expected a task in ${answer.slice(0, 1000)}`);
  return id;
}
