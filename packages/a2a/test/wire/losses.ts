/**
 * The register of what other versions than 1.0 cannot carry, and 1.0 of them. Whatever is not listed
 * here survives the way from the model to a dialect and back. Each entry says what becomes of a value;
 * `forget` puts together those that apply to a dialect.
 */
import type {
  Artifact,
  Message,
  Operation,
  Part,
  RequestOf,
  ResultOf,
  SendMessageConfiguration,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  TaskStatus,
} from "../../src/protocol/internal.js";
import { isTerminal, operations } from "../../src/protocol/internal.js";
import { isJsonObject } from "../../src/protocol/parse/internal.js";
import type { PlainOperation } from "../support/arbitraries/operations.js";

/** The id that the tests give to whatever a version leaves without one. */
export const generatedId = "generated";

/** Where an artifact stands in its task, for the tests of updates. */
export const artifactIndex = 7;

/** What one entry of the register does to the values it concerns; what it does not name it leaves alone. */
export interface Loss {
  readonly part?: (part: Part) => Part;
  readonly message?: (message: Message) => Message;
  readonly artifact?: (artifact: Artifact, index: number) => Artifact;
  readonly status?: (status: TaskStatus) => TaskStatus;
  readonly config?: (config: TaskPushNotificationConfig) => TaskPushNotificationConfig;
  readonly requests?: {
    readonly [O in Operation]?: (request: RequestOf<O>, original: RequestOf<O>) => RequestOf<O>;
  };
  readonly results?: {
    readonly [O in PlainOperation]?: (
      result: ResultOf<O>,
      original: ResultOf<O>,
      request: RequestOf<O>,
    ) => ResultOf<O>;
  };
  /** Gives what an event becomes when it is no longer one event of the same kind. */
  readonly event?: (event: StreamResponse, original: StreamResponse) => readonly StreamResponse[];
}

/**
 * L1. Before 1.0 only files have a media type and a name. Those of text and data go into the metadata,
 * where they displace what has their name, and whatever has their name is taken for them. That text is
 * plain goes without saying.
 */
export const descriptionInMetadata: Loss = {
  part(part) {
    if (part.raw !== undefined || part.url !== undefined) return part;
    const { mediaType, filename, metadata = {}, ...content } = part;
    const isPlain = part.text !== undefined && mediaType === "text/plain";
    const type = (isPlain ? undefined : mediaType) ?? filledString(metadata["mimeType"]);
    const name = filename ?? filledString(metadata["filename"]);
    const taken = [
      ...(type === undefined ? [] : ["mimeType"]),
      ...(name === undefined ? [] : ["filename"]),
    ];
    return {
      ...content,
      ...(type !== undefined && { mediaType: type }),
      ...(name !== undefined && { filename: name }),
      ...metadataWithout(part, taken),
    } as Part;
  },
};

/**
 * L2. Before 1.0 data is an object. Anything else is wrapped in one, and marked so in the metadata;
 * whatever looks like that is taken for it.
 */
export const markInMetadata: Loss = {
  part(part) {
    if (part.data === undefined) return part;
    const { data, metadata, ...rest } = part;
    const unmarked = metadataWithout(part, ["data_part_compat"]);
    if (!isJsonObject(data)) return { data, ...rest, ...unmarked };
    const { value, ...others } = data;
    const isLookalike =
      metadata?.["data_part_compat"] === true &&
      value !== undefined &&
      !isJsonObject(value) &&
      Object.keys(others).length === 0;
    return isLookalike ? { data: value, ...rest, ...unmarked } : part;
  },
};

/** L3. In 1.0 a webhook has one authentication scheme. */
export const oneScheme: Loss = {
  config({ authentication, ...config }) {
    if (authentication === undefined) return config;
    return { ...config, authentication: without(authentication, "schemes") };
  },
};

/** L5. Before 1.0 there are no tenants. */
export const noTenant: Loss = {
  config: withoutTenant,
  requests: Object.fromEntries(operations.map((operation) => [operation, withoutTenant])),
};

/** L5. The REST paths of 0.3 list tasks without pages. */
export const noTaskPages: Loss = {
  results: {
    listTasks: ({ tasks }) => ({
      tasks,
      nextPageToken: "",
      pageSize: tasks.length,
      totalSize: tasks.length,
    }),
  },
};

/** A client of 0.2 or 0.3 always says whether it waits, because servers have different defaults. */
export const saysWhetherItWaits: Loss = {
  requests: { sendMessage: decideWait, sendStreamingMessage: decideWait },
};

/** L8. The 0.3 protobuf has no field for the tasks that a message refers to. */
export const noReferences: Loss = {
  message: (message) => without(message, "referenceTaskIds"),
};

/** L9. Two of the states are unknown to 0.1. */
export const fewerStates: Loss = {
  status(status) {
    if (status.state === "TASK_STATE_REJECTED") return { ...status, state: "TASK_STATE_FAILED" };
    if (status.state !== "TASK_STATE_AUTH_REQUIRED") return status;
    return { ...status, state: "TASK_STATE_INPUT_REQUIRED" };
  },
};

/** L9. In 0.1 messages have no ids at all and artifacts have their place in the task instead. */
export const fewerIds: Loss = {
  message: (message) => ({
    ...without(message, "contextId", "taskId"),
    messageId: generatedId,
  }),
  artifact: (artifact, index) => ({ ...artifact, artifactId: String(index) }),
};

/** L9. 0.1 answers with tasks only. A direct reply becomes a task that says it and has it as artifact. */
export const repliesAreTasks: Loss = {
  results: {
    sendMessage: (result, original, request) =>
      result.message === undefined
        ? result
        : { task: taskOfReply(result.message, original.message ?? result.message, request) },
  },
  event: (event, original) =>
    event.message === undefined
      ? [event]
      : updatesOf(taskOfReply(event.message, original.message ?? event.message)),
};

/** L9. 0.1 streams updates only. A task is told as those that lead to it, and its readers resubscribe to them. */
export const tasksAreUpdates: Loss = {
  event: (event) => (event.task === undefined ? [event] : updatesOf(event.task)),
};

/** L10. In 0.1 the caller names the task, and both it and the context are told beside the message. */
export const idsBesideMessage: Loss = {
  requests: { sendMessage: nameTask, sendStreamingMessage: nameTask },
};

/** Only callers of 0.3 JSON register headers; no other version has a member for them. */
export const noHeaders: Loss = {
  config: (config) => without(config, "headers"),
};

/** The JSON forms of 0.3 list the webhooks of a task without pages. */
export const noConfigPages: Loss = {
  requests: { listTaskPushNotificationConfigs: ({ taskId }) => ({ taskId }) },
  results: {
    listTaskPushNotificationConfigs: ({ configs }) => (configs === undefined ? {} : { configs }),
  },
};

/** 0.1 has neither extensions nor references, and a caller cannot say how to be answered. */
export const fewerMembers: Loss = {
  message: (message) => without(message, "extensions", "referenceTaskIds"),
  artifact: (artifact) => without(artifact, "extensions"),
  requests: { sendMessage: dropWishes, sendStreamingMessage: dropWishes },
};

/** In 0.1 a task has one webhook, which needs no id. */
export const oneConfig: Loss = {
  config: (config) => without(config, "id"),
  requests: { getTaskPushNotificationConfig: ({ taskId }) => ({ taskId }) },
};

/** The updates by which 0.1 tells a task: its artifacts, then its status. */
function updatesOf(task: Task): readonly StreamResponse[] {
  const { id: taskId, contextId = "", status, artifacts = [], metadata } = task;
  const whole = isTerminal(status.state) && { lastChunk: true };
  return [
    ...artifacts.map((artifact) => ({ artifactUpdate: { taskId, contextId, artifact, ...whole } })),
    { statusUpdate: { taskId, contextId, status, ...(metadata !== undefined && { metadata }) } },
  ];
}

function taskOfReply(reply: Message, original: Message, request?: SendMessageRequest): Task {
  const { contextId } = original;
  return {
    id: request?.message.taskId ?? original.taskId ?? original.messageId,
    ...(contextId !== undefined && { contextId }),
    status: { state: "TASK_STATE_COMPLETED", message: reply },
    artifacts: [{ artifactId: "0", parts: reply.parts }],
  };
}

function nameTask(request: SendMessageRequest, original: SendMessageRequest): SendMessageRequest {
  const { contextId, messageId, taskId = messageId } = original.message;
  const ids = { taskId, ...(contextId !== undefined && { contextId }) };
  return { ...request, message: { ...request.message, ...ids } };
}

function dropWishes({ configuration, ...request }: SendMessageRequest): SendMessageRequest {
  const wishes: SendMessageConfiguration = configuration ?? {};
  const kept = without(wishes, "acceptedOutputModes", "returnImmediately");
  return Object.keys(kept).length === 0 ? request : { ...request, configuration: kept };
}

function decideWait({ configuration, ...request }: SendMessageRequest): SendMessageRequest {
  if (configuration === undefined) return request;
  const { returnImmediately = false } = configuration;
  return { ...request, configuration: { ...configuration, returnImmediately } };
}

function withoutTenant<T extends { readonly tenant?: string }>(request: T): T {
  return without(request, "tenant");
}

/** The value without optional members of it. */
function without<T extends object>(value: T, ...names: readonly (string & keyof T)[]): T {
  const kept = Object.entries(value).filter(
    ([name]) => !(names as readonly string[]).includes(name),
  );
  return Object.fromEntries(kept) as T;
}

function filledString(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The part's metadata without what was taken from it or put into it; none is left rather than an empty one. */
function metadataWithout({ metadata }: Part, names: readonly string[]): Pick<Part, "metadata"> {
  if (metadata === undefined) return {};
  if (names.length === 0) return { metadata };
  const kept = Object.entries(metadata).filter(([name]) => !names.includes(name));
  return kept.length === 0 ? {} : { metadata: Object.fromEntries(kept) };
}
