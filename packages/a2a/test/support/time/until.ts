const patienceMs = 20_000;

/** Lets pending work run, but for what waits for the clock. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Waits for a condition, and fails shortly before the test would time out. */
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
