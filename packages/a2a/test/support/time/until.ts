const patienceMs = 20_000;

/** Lets everything happen that is about to, short of what the clock has to bring. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Waits for a condition, however long it takes within reason. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = "the condition",
): Promise<void> {
  const started = Date.now();
  while (!(await condition())) {
    if (Date.now() - started > patienceMs) throw new Error(`waited in vain for ${what}`);
    await settle();
  }
}
