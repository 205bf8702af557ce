import { setTimeout as delay } from "node:timers/promises";

const checkTimeoutMs = 5000;

/** Asks at most once at a time, however many want to know, and does not wait for ever. */
export function createHealthCheck(check: () => Promise<void>): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  const isAnswered = async (): Promise<boolean> => {
    await check();
    return true;
  };
  const ask = async (): Promise<boolean> => {
    const patience = new AbortController();
    const late = delay(checkTimeoutMs, false, { signal: patience.signal, ref: false });
    try {
      return await Promise.race([isAnswered(), late]);
    } catch {
      return false;
    } finally {
      patience.abort();
      late.catch(() => undefined);
      asking = undefined;
    }
  };
  return () => (asking ??= ask());
}
