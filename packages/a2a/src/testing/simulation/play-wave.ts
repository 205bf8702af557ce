import { checkHistory } from "../history/check-history.js";
import { leaseMs } from "./open-cluster.js";
import type { Cluster } from "./open-cluster.js";
import { withoutLosses } from "./invariants/allow-losses.js";
import type { Found } from "./invariants/found.js";
import { checkGenerations } from "./invariants/generations.js";
import { checkFailed, checkSettled, findUnsettled } from "./invariants/rest.js";
import { readEnd } from "./read-end.js";
import { Job } from "./workload/job.js";
import { LightJob } from "./workload/light-job.js";
import type { World } from "./world/world.js";

/** How long callers come and faults happen. */
const busyMs = 12_000;
/** How long everything may take to come to an end once no more faults happen. */
const restMs = 240_000;
/** How long tasks may take that nobody waits for. */
const forsakenMs = 60_000;

/** Lets callers come while faults happen, waits until all is at rest, and checks what was seen. */
export async function playWave(
  world: World,
  { nodes, stores, network, nemesis, isDurable }: Cluster,
  { numbers, isLight }: { readonly numbers: readonly number[]; readonly isLight: boolean },
): Promise<readonly Found[]> {
  const { scheduler, faults, recorder } = world;
  const runFor = (ms: number, isDone?: () => boolean): Promise<void> =>
    scheduler.run(scheduler.now + ms * 1000, isDone);
  faults.isCalm = false;
  nemesis.begin();
  const Caller = isLight ? LightJob : Job;
  const jobs = numbers.map((number) => new Caller(world, network, number));
  for (const job of jobs) job.begin(busyMs / 2);
  await runFor(busyMs);
  faults.isCalm = true;
  let done = 0;
  const areDone = (): boolean => {
    while (jobs[done]?.isDone === true) done += 1;
    return done === jobs.length;
  };
  await runFor(restMs, areDone);
  const stuck = jobs.flatMap(({ isDone, name, waitsFor }) =>
    isDone ? [] : [`${name} still waits for ${waitsFor}`],
  );
  // Tasks whose callers have given up go on; some of them wait for a message that nobody sends.
  const areIdle = (): boolean => stores.active === 0 && nodes.every(({ runs }) => runs === 0);
  await runFor(forsakenMs, areIdle);
  await runFor(2.2 * leaseMs);
  const end = await readEnd(world, stores, leaseMs);
  const unsettled = findUnsettled(end.tasks);
  for (const message of checkSettled(unsettled)) world.problem(message);
  // A task waits for ever for a message that a failover has lost, and its caller for the task.
  const inVain = unsettled.forsaken.filter(({ record }) => stores.lost.has(record.taskId));
  for (const message of stuck) {
    if (!inVain.some(({ record }) => message.includes(record.taskId))) world.problem(message);
  }
  if (isDurable) for (const message of checkFailed(end.tasks)) world.problem(message);
  if (unsettled.tasks.length === 0) for (const node of nodes) node.checkAtRest();
  const history = recorder.history(end);
  const found = [
    ...checkHistory(history).map(({ invariant, taskId, message }) => ({
      invariant,
      message: `${taskId ?? "cluster"}: ${message}`,
    })),
    ...Array.from(checkGenerations(end.tasks), (message) => ({ invariant: "generation", message })),
  ];
  return withoutLosses(found, stores);
}
