import { createHook } from "node:async_hooks";

/** Counts the promises that some work makes. */
export async function promisesOf(work: () => Promise<void>): Promise<number> {
  let made = 0;
  const hook = createHook({ init: (_, kind) => void (made += Number(kind === "PROMISE")) });
  hook.enable();
  await work();
  hook.disable();
  return made;
}
