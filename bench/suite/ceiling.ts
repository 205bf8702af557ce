import { sending } from "../load/request.js";
import type { Lab } from "./lab.js";
import { manyConnections } from "./load-on.js";
import { medianOf } from "./statistics.js";

/** How many answers a second the load generator takes from a server that does nothing. */
export async function measureCeiling(lab: Lab): Promise<number> {
  const subject = await lab.open("trivial");
  const plan = {
    requests: [
      sending("echo Plan a week in Tokyo in May: flights, a quiet hotel, one good concert."),
    ],
    shape: "busy",
    connections: manyConnections,
  } as const;
  const rates: number[] = [];
  for (let round = -1; round < lab.rounds; round += 1) {
    // Its share of a core is not noted: here the generator is the limit.
    const { perSecond } = await lab.generator.unnoted(subject, { ...plan, forMs: lab.ms(500) });
    if (round >= 0) rates.push(perSecond);
  }
  await lab.clear();
  return medianOf(rates);
}
