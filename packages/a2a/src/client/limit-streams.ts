import { operations } from "../protocol/index.js";
import type { AgentService, CallContext, StreamEvent } from "../protocol/index.js";
import type { StreamSlots } from "./stream-slots.js";

/** A service that has no more streams open to its host than there are slots. */
export function limitStreams(
  service: AgentService,
  slots: StreamSlots,
  host: string,
): AgentService {
  async function* limited(
    open: () => AsyncIterable<StreamEvent>,
    { signal }: CallContext,
  ): AsyncGenerator<StreamEvent, void, void> {
    const giveBack = await slots.take(host, signal);
    try {
      yield* open();
    } finally {
      giveBack();
    }
  }
  const others = Object.fromEntries(
    operations.map((operation) => [operation, service[operation].bind(service)]),
  ) as unknown as AgentService;
  return {
    ...others,
    sendStreamingMessage: (request, call) =>
      limited(() => service.sendStreamingMessage(request, call), call),
    subscribeToTask: (request, call) => limited(() => service.subscribeToTask(request, call), call),
  };
}
