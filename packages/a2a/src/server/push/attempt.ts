import type { Clock, LightSignal } from "../../async/internal.js";
import type { PushNotification, PushOutcome, PushSender } from "./push-sender.js";

interface AttemptOptions {
  readonly sender: PushSender;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Aborted when attempts have to end at once. */
  readonly graceOver: LightSignal;
}

/** Makes one attempt to send a notification. Ends in time whatever the sender does, and never throws. */
export async function attempt(
  notification: PushNotification,
  { sender, clock, timeoutMs, graceOver }: AttemptOptions,
): Promise<PushOutcome> {
  const controller = new AbortController();
  let end: (reason: string) => void = () => undefined;
  const ended = new Promise<PushOutcome>((resolve) => {
    end = (reason) => {
      resolve({ kind: "failed", reason });
      controller.abort();
    };
  });
  const cancelTimer = clock.after(timeoutMs, () => end(`no answer within ${timeoutMs} ms`));
  const stopListening = graceOver.onAbort(() => end("this node stopped"));
  try {
    return await Promise.race([ended, sender.send(notification, controller.signal)]);
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    cancelTimer();
    stopListening();
  }
}
