import type { Operation, RequestOf } from "../protocol/internal.js";
import type { KnownIds } from "../wire/internal.js";

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
