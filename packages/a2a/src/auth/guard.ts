import type {
  AgentService,
  CallContext,
  RequestOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/index.js";
import { Gate } from "./gate.js";
import type { GateOptions } from "./gate.js";

export type GuardOptions = GateOptions;

/**
 * A service in front of a service: lets through what callers may do, counts it, and writes down what was
 * decided. Stands in front of anything that answers A2A, a runtime or a client of somebody else's agent.
 *
 * @example
 * const guarded = guard(runtime, { authorize: requireScopes(), audit });
 */
export function guard(service: AgentService, options: GuardOptions): AgentService {
  const gate = new Gate(options);

  function unary<O extends UnaryOperation>(operation: O): AgentService[O] {
    // TypeScript does not see that the request and the method are of one operation.
    const invoke = service[operation].bind(service) as (
      request: RequestOf<O>,
      call: CallContext,
    ) => Promise<unknown>;
    const guarded = async (request: RequestOf<O>, call: CallContext): Promise<unknown> => {
      const passing = await gate.admit(operation, request, call);
      try {
        return await invoke(request, call);
      } catch (error) {
        throw gate.denied(passing, error);
      }
    };
    return guarded as AgentService[O];
  }

  function streaming<O extends StreamingOperation>(operation: O): AgentService[O] {
    const invoke = service[operation].bind(service) as (
      request: RequestOf<O>,
      call: CallContext,
    ) => AsyncIterable<StreamEvent>;
    const guarded = (request: RequestOf<O>, call: CallContext): AsyncIterable<StreamEvent> =>
      openStream(async () => {
        const passing = await gate.admit(operation, request, call);
        const close = gate.openStream(passing);
        const source = invoke(request, call)[Symbol.asyncIterator]();
        return { source, close, denied: (error) => gate.denied(passing, error) };
      });
    return guarded as AgentService[O];
  }

  return {
    sendMessage: unary("sendMessage"),
    sendStreamingMessage: streaming("sendStreamingMessage"),
    getTask: unary("getTask"),
    listTasks: unary("listTasks"),
    cancelTask: unary("cancelTask"),
    subscribeToTask: streaming("subscribeToTask"),
    createTaskPushNotificationConfig: unary("createTaskPushNotificationConfig"),
    getTaskPushNotificationConfig: unary("getTaskPushNotificationConfig"),
    listTaskPushNotificationConfigs: unary("listTaskPushNotificationConfigs"),
    deleteTaskPushNotificationConfig: unary("deleteTaskPushNotificationConfig"),
    getExtendedAgentCard: unary("getExtendedAgentCard"),
  };
}

interface OpenedStream {
  readonly source: AsyncIterator<StreamEvent>;
  readonly close: () => void;
  readonly denied: (error: unknown) => Error;
}

/**
 * A stream that is admitted with its first read. Passes reads on one by one, and leaving at once: a
 * generator would let who leaves wait for the next event.
 */
function openStream(open: () => Promise<OpenedStream>): AsyncIterableIterator<StreamEvent> {
  let opening: Promise<OpenedStream> | undefined;
  let isLeft = false;
  return {
    async next() {
      if (isLeft) return { done: true, value: undefined };
      opening ??= open();
      const { source, close, denied } = await opening;
      try {
        const result = await source.next();
        if (result.done === true) close();
        return result;
      } catch (error) {
        close();
        throw denied(error);
      }
    },
    async return() {
      isLeft = true;
      const opened = await opening?.catch(() => undefined);
      await opened?.source.return?.();
      opened?.close();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
