import type {
  Artifact,
  Message,
  Operation,
  Part,
  RequestOf,
  ResultOf,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  TaskStatus,
} from "../../src/protocol/internal.js";
import type { Dialect } from "../../src/wire/dialect.js";
import {
  artifactIndex,
  descriptionInMetadata,
  fewerIds,
  fewerMembers,
  fewerStates,
  idsBesideMessage,
  markInMetadata,
  noConfigPages,
  noHeaders,
  noReferences,
  noTaskPages,
  noTenant,
  oneConfig,
  oneScheme,
  repliesAreTasks,
  saysWhetherItWaits,
  tasksAreUpdates,
} from "./losses.js";
import type { Loss } from "./losses.js";
import type { PlainOperation } from "../support/arbitraries/operations.js";

const json03 = [descriptionInMetadata, markInMetadata, noTenant, noConfigPages, saysWhetherItWaits];

/** The entries of the register that apply to each dialect. */
const register: Readonly<Record<Dialect, readonly Loss[]>> = {
  "1.0": [oneScheme, noHeaders],
  "0.3": json03,
  "0.3+type": json03,
  "0.3-schema": [...json03, noTaskPages],
  "0.1+0.3": [...json03, fewerStates, tasksAreUpdates],
  "0.3-proto": [
    descriptionInMetadata,
    markInMetadata,
    noTenant,
    noTaskPages,
    noReferences,
    noHeaders,
    saysWhetherItWaits,
  ],
  "0.1": [
    descriptionInMetadata,
    markInMetadata,
    noTenant,
    noHeaders,
    fewerStates,
    fewerIds,
    fewerMembers,
    oneConfig,
    idsBesideMessage,
    repliesAreTasks,
    tasksAreUpdates,
  ],
};

/** What is left of values after they went through a dialect. */
export interface Forget {
  readonly task: (task: Task) => Task;
  readonly request: <O extends Operation>(operation: O, request: RequestOf<O>) => RequestOf<O>;
  readonly result: <O extends PlainOperation>(
    operation: O,
    result: ResultOf<O>,
    request: RequestOf<O>,
  ) => ResultOf<O>;
  readonly event: (event: StreamResponse) => readonly StreamResponse[];
}

function createForget(losses: readonly Loss[]): Forget {
  const part = (value: Part): Part => losses.reduce((one, loss) => loss.part?.(one) ?? one, value);

  const message = (value: Message): Message =>
    losses.reduce<Message>((one, loss) => loss.message?.(one) ?? one, {
      ...value,
      parts: value.parts.map(part),
    });

  const artifact = (value: Artifact, index: number): Artifact =>
    losses.reduce<Artifact>((one, loss) => loss.artifact?.(one, index) ?? one, {
      ...value,
      parts: value.parts.map(part),
    });

  const status = (value: TaskStatus): TaskStatus =>
    losses.reduce((one, loss) => loss.status?.(one) ?? one, {
      ...value,
      ...(value.message && { message: message(value.message) }),
    });

  const task = (value: Task): Task => ({
    ...value,
    status: status(value.status),
    ...(value.artifacts && { artifacts: value.artifacts.map(artifact) }),
    ...(value.history && { history: value.history.map(message) }),
  });

  const config = <T extends TaskPushNotificationConfig>(value: T): T =>
    losses.reduce<TaskPushNotificationConfig>((one, loss) => loss.config?.(one) ?? one, value) as T;

  const send = (value: SendMessageRequest): SendMessageRequest => {
    const pushConfig = value.configuration?.taskPushNotificationConfig;
    return {
      ...value,
      message: message(value.message),
      ...(pushConfig && {
        configuration: { ...value.configuration, taskPushNotificationConfig: config(pushConfig) },
      }),
    };
  };

  const answer = <T extends StreamResponse | ResultOf<"sendMessage">>(value: T): T =>
    ({
      ...value,
      ...(value.task && { task: task(value.task) }),
      ...(value.message && { message: message(value.message) }),
    }) as T;

  const update = (value: StreamResponse): StreamResponse => {
    const { statusUpdate, artifactUpdate } = value;
    if (statusUpdate) {
      return { statusUpdate: { ...statusUpdate, status: status(statusUpdate.status) } };
    }
    if (!artifactUpdate) return answer(value);
    return {
      artifactUpdate: {
        ...artifactUpdate,
        artifact: artifact(artifactUpdate.artifact, artifactIndex),
      },
    };
  };

  const requestChildren: { readonly [O in Operation]?: (request: RequestOf<O>) => RequestOf<O> } = {
    sendMessage: send,
    sendStreamingMessage: send,
    createTaskPushNotificationConfig: config,
  };

  const resultChildren: { readonly [O in PlainOperation]?: (result: ResultOf<O>) => ResultOf<O> } =
    {
      sendMessage: answer,
      getTask: task,
      cancelTask: task,
      listTasks: (page) => ({ ...page, tasks: page.tasks.map(task) }),
      createTaskPushNotificationConfig: config,
      getTaskPushNotificationConfig: config,
      listTaskPushNotificationConfigs: ({ configs, ...page }) => ({
        ...page,
        ...(configs && { configs: configs.map(config) }),
      }),
    };

  return {
    task,
    request: (operation, original) =>
      losses.reduce(
        (one, loss) => loss.requests?.[operation]?.(one, original) ?? one,
        requestChildren[operation]?.(original) ?? original,
      ),
    result: (operation, original, request) =>
      losses.reduce(
        (one, loss) => loss.results?.[operation]?.(one, original, request) ?? one,
        resultChildren[operation]?.(original) ?? original,
      ),
    event: (original) =>
      losses.reduce(
        (events, loss) => events.flatMap((event) => loss.event?.(event, original) ?? [event]),
        [update(original)],
      ),
  };
}

/** What is left of values after they went through each dialect. */
export const forget = Object.fromEntries(
  Object.entries(register).map(([dialect, losses]) => [dialect, createForget(losses)]),
) as Readonly<Record<Dialect, Forget>>;
