import process from "node:process";

/** What a client is to say, how often, and how many times at once. */
export interface CallPlan {
  readonly words: string;
  readonly times: number;
  readonly atOnce: number;
}

/** Makes a call that repeats something, and returns the processor time of each in microseconds. */
export function costOfCalls(
  work: (words: string) => Promise<void>,
): (plan: CallPlan) => Promise<number> {
  return async ({ words, times, atOnce }) => {
    const before = process.cpuUsage();
    const lanes = Array.from({ length: atOnce }, async (_, lane) => {
      for (let done = lane; done < times; done += atOnce) await work(words);
    });
    await Promise.all(lanes);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
}
