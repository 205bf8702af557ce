import { setTimeout as delay } from "node:timers/promises";

const checkTimeoutMs = 5000;

/** Asks a check at most once at a time, however many callers wait for it, and gives up after 5 s. */
export function createHealthCheck(check: () => Promise<void>): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const succeeds = async (): Promise<boolean> => {
    await check();
    return true;
  };
  const ask = async (): Promise<boolean> => {
    const timer = new AbortController();
    const late = delay(checkTimeoutMs, false, { signal: timer.signal, ref: false });
    try {
      return await Promise.race([succeeds(), late]);
    } catch {
      return false;
    } finally {
      timer.abort();
      late.catch(() => undefined);
      asking = undefined;
    }
  };
  return () => (asking ??= ask());
}
