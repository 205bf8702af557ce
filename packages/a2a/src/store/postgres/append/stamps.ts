import { randomInt } from "node:crypto";

const commits = 2 ** 26;

/** Names the commits of this process: random bits of the process, then the number of the commit. */
export function createStamps(): () => number {
  const process = randomInt(2 ** 27) * commits;
  let count = 0;
  return () => {
    count = (count + 1) % commits;
    return process + count;
  };
}
