import { describe, expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  SendMessageRequest,
  StreamEvent,
  StreamResponse,
  Task,
  TaskState,
} from "../../protocol/internal.js";
import { ManualTimers } from "../../../test/support/time/manual-timers.js";
import { Delivered } from "./delivered.js";
import { fromBatches } from "../../async/internal.js";
import { follow } from "./follow.js";
import type { FollowOptions } from "./follow.js";
import type { Reconnection } from "./reconnector.js";

const toldBy = (...given: Parameters<typeof follow>) => fromBatches(follow(...given));

const ids = { taskId: "t", contextId: "c" };

function taskOf(state: TaskState, ...texts: readonly string[]): Task {
  const artifacts = texts.length === 0 ? [] : [{ artifactId: "a", parts: partsOf(texts) }];
  return { id: "t", contextId: "c", status: { state }, artifacts };
}

function partsOf(texts: readonly string[]): { text: string }[] {
  return texts.map((text) => ({ text }));
}

function chunk(text: string, sequence?: number): StreamEvent {
  const artifact = { artifactId: "a", parts: [{ text }] };
  return numbered({ artifactUpdate: { ...ids, artifact, append: true } }, sequence);
}

function numbered(response: StreamResponse, sequence: number | undefined): StreamEvent {
  return { response, ...(sequence !== undefined && { sequence }) };
}

const ended = (sequence?: number): StreamEvent =>
  numbered({ statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED" } } }, sequence);

type Connection = (call: CallContext) => AsyncIterable<StreamEvent>;

const lost = new A2AError("UNAVAILABLE", "lost", { cause: new Error("reset") });

/** A connection that gives some events and is then lost, or closed. */
function connection(events: readonly StreamEvent[], error?: Error): Connection {
  return async function* () {
    yield* events;
    if (error !== undefined) throw error;
  };
}

const message: SendMessageRequest = {
  message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hello" }] },
};

/** An agent that answers a message with the first connection. */
function agentWith(
  first: Connection,
  others: object = {},
): Pick<FollowOptions, "card" | "service"> {
  const sendStreamingMessage = (_: unknown, call: CallContext): AsyncIterable<StreamEvent> =>
    first(call);
  return {
    card: { capabilities: { streaming: true } },
    service: { sendStreamingMessage, ...others } as unknown as AgentService,
  };
}

interface Scene {
  readonly first: Connection;
  readonly later?: readonly Connection[];
  readonly looks?: readonly Task[];
}

async function play({ first, later = [], looks = [] }: Scene) {
  const rest = { later: [...later], looks: [...looks] };
  const calls: (number | undefined)[] = [];
  const reconnections: Reconnection[] = [];
  const agent = agentWith(first, {
    subscribeToTask: (_: unknown, call: CallContext) => {
      calls.push(call.resumeAfter);
      return (rest.later.shift() ?? connection([], lost))(call);
    },
    getTask: async () => {
      const look = rest.looks.length > 1 ? rest.looks.shift() : rest.looks[0];
      if (look === undefined) throw lost;
      return look;
    },
  });
  const timers = new ManualTimers().rush();
  const told: StreamResponse[] = [];
  const events = toldBy(message, {
    ...agent,
    call: { version: "1.0" },
    clock: timers,
    until: "settled",
    delivered: new Delivered(),
    maxReconnects: 5,
    maxAttempts: 2,
    stallMs: 1e9,
    pollMs: 10,
    onReconnect: (one) => reconnections.push(one),
  });
  for await (const response of events) told.push(response);
  return { told, calls, reconnections, timers };
}

function texts(told: readonly StreamResponse[]): readonly string[] {
  return told.flatMap(({ task, artifactUpdate }) =>
    [...(task?.artifacts ?? []), ...(artifactUpdate ? [artifactUpdate.artifact] : [])].flatMap(
      ({ parts }) => parts.map((part) => part.text ?? ""),
    ),
  );
}

const working = taskOf("TASK_STATE_WORKING");

describe("a stream that was lost goes on", () => {
  it("after the number of the last event", async () => {
    const { told, calls, reconnections } = await play({
      first: connection([numbered({ task: working }, 1), chunk("one ", 2)], lost),
      later: [connection([chunk("two ", 3)]), connection([chunk("three ", 5), ended(6)])],
    });
    expect(texts(told)).toEqual(["one ", "two ", "three "]);
    expect(calls).toEqual([2, 3]);
    expect(reconnections.map(({ by }) => by)).toEqual(["sequence", "sequence"]);
  });

  it("by looking at the task when later events have no numbers, for they may have been told", async () => {
    const { told, calls } = await play({
      first: connection([{ response: { task: working } }, chunk("one ")], lost),
      later: [
        connection([
          { response: { task: taskOf("TASK_STATE_WORKING", "one ", "two ") } },
          chunk("two "),
          chunk("three "),
          ended(),
        ]),
      ],
      looks: [taskOf("TASK_STATE_COMPLETED", "one ", "two ", "three ")],
    });
    expect(texts(told)).toEqual(["one ", "two ", "three "]);
    expect(calls).toEqual([undefined]);
  });

  it("by looking at the task when numbers do not grow, for they are no places in a log", async () => {
    const { told, calls } = await play({
      first: connection([numbered({ task: working }, 7), chunk("one ", 7), chunk("two ", 7)], lost),
      later: [connection([chunk("two ", 8), ended(8)])],
      looks: [taskOf("TASK_STATE_COMPLETED", "one ", "two ")],
    });
    expect(texts(told)).toEqual(["one ", "two "]);
    expect(calls).toEqual([undefined]);
  });

  it("by looking again and again when the agent does not stream", async () => {
    const refusal = new A2AError("UNSUPPORTED_OPERATION", "no");
    const { told, reconnections } = await play({
      first: connection([{ response: { task: working } }], lost),
      later: [connection([], refusal)],
      looks: [
        working,
        taskOf("TASK_STATE_WORKING", "one "),
        taskOf("TASK_STATE_COMPLETED", "one ", "two "),
      ],
    });
    expect(texts(told)).toEqual(["one ", "two "]);
    expect(reconnections.map(({ by }) => by)).toEqual(["comparison", "polling"]);
  });

  it("by looking when connection after connection tells nothing new", async () => {
    const empty = connection([{ response: { task: working } }]);
    const { told, reconnections } = await play({
      first: empty,
      later: [empty, empty, empty, empty],
      looks: [...Array.from({ length: 8 }, () => working), taskOf("TASK_STATE_COMPLETED", "one ")],
    });
    expect(texts(told)).toEqual(["one "]);
    expect(reconnections.at(-1)?.by).toBe("polling");
  });
});

describe("a connection that somebody has doubled", () => {
  it("tells an event that comes again under its number once", async () => {
    const { told, calls } = await play({
      first: connection([
        numbered({ task: working }, 1),
        numbered({ task: working }, 1),
        chunk("one ", 2),
        chunk("one ", 2),
        chunk("one ", 3),
        ended(4),
      ]),
    });
    expect(texts(told)).toEqual(["one ", "one "]);
    expect([told.length, calls]).toEqual([4, []]);
  });

  it("is left for the task itself when its numbers go back, and they are not relied on again", async () => {
    const { told, calls, reconnections } = await play({
      first: connection([
        numbered({ task: working }, 1),
        chunk("one ", 2),
        chunk("two ", 3),
        chunk("one ", 2),
      ]),
      later: [
        connection([numbered({ task: working }, 1), chunk("one ", 2), chunk("three ", 4)], lost),
      ],
      looks: [taskOf("TASK_STATE_COMPLETED", "one ", "two ", "three ")],
    });
    expect(texts(told)).toEqual(["one ", "two ", "three "]);
    expect(calls).toEqual([undefined]);
    expect(reconnections.map(({ by }) => by)).toEqual(["comparison"]);
  });

  it("is left when it tells of another task", async () => {
    const other = { taskId: "other", contextId: "c" };
    const artifact = { artifactId: "a", parts: [{ text: "not this" }] };
    const { told } = await play({
      first: connection([
        { response: { task: working } },
        { response: { artifactUpdate: { ...other, artifact, append: true } } },
        chunk("never read "),
      ]),
      later: [connection([{ response: { task: taskOf("TASK_STATE_COMPLETED", "one ") } }])],
      looks: [taskOf("TASK_STATE_COMPLETED", "one ")],
    });
    expect(texts(told)).toEqual(["one "]);
  });
});

it("leaves no timer behind", async () => {
  const { timers } = await play({ first: connection([{ response: { task: working } }, ended()]) });
  expect(timers.pending).toBe(0);
});

it("passes on what the agent refuses", async () => {
  const refusal = new A2AError("CONTENT_TYPE_NOT_SUPPORTED", "no");
  await expect(play({ first: connection([], refusal) })).rejects.toBe(refusal);
});

describe("silence", () => {
  /** A connection that beats so often, until it is left. */
  function beating(timers: ManualTimers, everyMs: number, beats: number): Connection {
    return async function* ({ observer, signal }) {
      yield { response: { task: working } };
      for (let beat = 0; beat < beats; beat += 1) {
        await new Promise<void>((resolve, reject) => {
          timers.after(everyMs, resolve);
          signal?.addEventListener("abort", () => reject(lost), { once: true });
        });
        observer?.onActivity?.();
      }
      yield ended();
    };
  }

  async function watch(everyMs: number): Promise<readonly Reconnection[]> {
    const timers = new ManualTimers();
    const reconnections: Reconnection[] = [];
    const events = toldBy(message, {
      ...agentWith(beating(timers, everyMs, 10), {
        subscribeToTask: connection([{ response: { task: taskOf("TASK_STATE_COMPLETED") } }]),
        getTask: async () => working,
      }),
      call: { version: "1.0" },
      clock: timers,
      until: "settled",
      delivered: new Delivered(),
      maxReconnects: 3,
      maxAttempts: 2,
      stallMs: 1000,
      pollMs: 10,
      onReconnect: (one) => reconnections.push(one),
    });
    const reading = (async () => {
      for await (const _ of events) continue;
    })();
    for (let step = 0; step < 60; step += 1) await timers.advance(500);
    await reading;
    expect(timers.pending).toBe(0);
    return reconnections;
  }

  it("is none while there are heartbeats, however long the task is quiet", async () => {
    expect(await watch(900)).toEqual([]);
  });

  it("of connection after connection makes it look at the task, for as long as that takes", async () => {
    const timers = new ManualTimers();
    const silent: Connection = async function* ({ signal }) {
      await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(lost)));
      yield* [];
    };
    let looks = 0;
    const reconnections: Reconnection[] = [];
    const events = toldBy(message, {
      ...agentWith(connection([numbered({ task: working }, 1)], lost), {
        subscribeToTask: (_: unknown, call: CallContext) => silent(call),
        // Hours, at one look in ten seconds.
        getTask: async () =>
          (looks += 1) < 2000 ? working : taskOf("TASK_STATE_COMPLETED", "one "),
      }),
      call: { version: "1.0" },
      clock: timers.rush(),
      until: "settled",
      delivered: new Delivered(),
      maxReconnects: 5,
      maxAttempts: 2,
      stallMs: 1000,
      pollMs: 10,
      onReconnect: (one) => reconnections.push(one),
    });
    const told: StreamResponse[] = [];
    for await (const response of events) told.push(response);
    expect(texts(told)).toEqual(["one "]);
    expect(reconnections.at(-1)?.by).toBe("polling");
  });

  it.each([
    [0, "waits for an agent that thinks without a sign"],
    [1, "sends again, if that is safe, to an agent that has begun to answer and says nothing"],
    [3, "sends again, if that is safe, to an agent that gave signs and then no more"],
  ])("after %i signs %s", async (beats) => {
    const timers = new ManualTimers();
    let sent = 0;
    const first: Connection = async function* ({ observer, signal }) {
      sent += 1;
      for (let beat = 0; beat < beats && sent === 1; beat += 1) observer?.onActivity?.();
      await new Promise<void>((resolve, reject) => {
        timers.after(sent === 1 ? 50_000 : 10, resolve);
        signal?.addEventListener("abort", () => reject(lost), { once: true });
      });
      yield {
        response: { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] } },
      };
    };
    const events = toldBy(message, {
      ...agentWith(first),
      call: { version: "1.0", idempotencyKey: "k" },
      clock: timers,
      until: "settled",
      delivered: new Delivered(),
      maxReconnects: 3,
      maxAttempts: 2,
      stallMs: 1000,
      pollMs: 10,
    });
    const told: StreamResponse[] = [];
    const reading = (async () => {
      for await (const response of events) told.push(response);
    })();
    for (let step = 0; step < 120; step += 1) await timers.advance(500);
    await reading;
    expect(told).toHaveLength(1);
    expect(sent).toBe(beats < 1 ? 1 : 2);
  });

  it("ends a connection that has none, and the stream goes on", async () => {
    const [first] = await watch(1100);
    expect(first?.error?.message).toBe("nothing was heard of the agent for 1000 ms");
  });
});
