import type { RemoteAgent } from "@parley/a2a/client";

/**
 * Waits until a task has ended or waits for its caller: by its stream, and by polling where there is none or where it
 * breaks.
 */
export async function settledTask(
  agent: RemoteAgent,
  id: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  for await (const _ of agent.watch(id, { signal, until: "settled" })) {
    // Only the end matters.
  }
}
