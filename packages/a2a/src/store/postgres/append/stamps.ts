import { randomInt } from "node:crypto";

const commits = 2n ** 31n;

/** Names the commits of this process: random bits of the process, then the number of the commit. */
export function createStamps(): () => string {
  const process = BigInt(randomInt(2 ** 31)) * commits;
  let count = BigInt(randomInt(2 ** 20));
  return () => {
    count = (count + 1n) % commits;
    return `${process + count}`;
  };
}
