import type {
  AgentService,
  CallContext,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/index.js";
import type { KnownIds } from "../wire/index.js";

type CallUnary = <O extends UnaryOperation>(
  operation: O,
  request: RequestOf<O>,
  call: CallContext,
) => Promise<ResultOf<O>>;

type CallStreaming = (
  operation: StreamingOperation,
  request: RequestOf<StreamingOperation>,
  call: CallContext,
) => AsyncIterable<StreamEvent>;

/** The eleven operations over the two ways a transport has to call. */
export function createService(callUnary: CallUnary, callStreaming: CallStreaming): AgentService {
  const unary =
    <O extends UnaryOperation>(operation: O) =>
    (request: RequestOf<O>, call: CallContext): Promise<ResultOf<O>> =>
      callUnary(operation, request, call);
  return {
    sendMessage: unary("sendMessage"),
    sendStreamingMessage: (request, call) => callStreaming("sendStreamingMessage", request, call),
    getTask: unary("getTask"),
    listTasks: unary("listTasks"),
    cancelTask: unary("cancelTask"),
    subscribeToTask: (request, call) => callStreaming("subscribeToTask", request, call),
    createTaskPushNotificationConfig: unary("createTaskPushNotificationConfig"),
    getTaskPushNotificationConfig: unary("getTaskPushNotificationConfig"),
    listTaskPushNotificationConfigs: unary("listTaskPushNotificationConfigs"),
    deleteTaskPushNotificationConfig: unary("deleteTaskPushNotificationConfig"),
    getExtendedAgentCard: unary("getExtendedAgentCard"),
  };
}

/** The interface's tenant, unless the request names one. */
export function withTenant<O extends Operation>(
  request: RequestOf<O>,
  tenant: string | undefined,
): RequestOf<O> {
  return tenant === undefined || request.tenant !== undefined ? request : { ...request, tenant };
}

/** What a request says about the task it is about. */
export function knownIds(request: RequestOf<Operation>): KnownIds {
  if ("message" in request) {
    const { taskId, contextId } = request.message;
    return {
      ...(taskId !== undefined && { taskId }),
      ...(contextId !== undefined && { contextId }),
    };
  }
  if ("url" in request) return { taskId: request.taskId, config: request };
  const taskId = "taskId" in request ? request.taskId : "id" in request ? request.id : undefined;
  return taskId === undefined ? {} : { taskId };
}
