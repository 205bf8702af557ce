import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/protocol/internal.js";
import { statusDetailsUri } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import {
  filledText,
  jsonValue,
  message,
  streamResponse,
  task,
  taskStatus,
} from "../support/arbitraries/model.js";
import {
  clientCursor,
  dialects,
  eventContext,
  exchangeEvent,
  exchangePushPayload,
  exchangeResult,
  throughJson,
} from "./exchange.js";
import { forget } from "./forget.js";
import { artifactIndex } from "./losses.js";
import { rounds } from "../support/rounds.js";

const numRuns = rounds(60);

/** Whether webhooks of a dialect are told events, and not the whole task. */
function tellsEvents(dialect: Dialect): boolean {
  return dialect === "1.0" || dialect === "0.3-schema";
}

describe.each(dialects)("in dialect %s", (dialect) => {
  const { encodeEvent, encodePushPayload } = codecs[dialect];

  it("an event arrives as it was, but for what the dialect cannot say", () => {
    fc.assert(
      fc.property(streamResponse, fc.boolean(), (event, final) => {
        deepStrictEqual(exchangeEvent(dialect, event, final), forget[dialect].event(event));
      }),
      { numRuns },
    );
  });

  it("an event is written alike again and has nothing undefined in it", () => {
    fc.assert(
      fc.property(streamResponse, fc.boolean(), (event, final) => {
        const json = encodeEvent(event, eventContext(final));
        deepStrictEqual(throughJson(json), json);
        const again = exchangeEvent(dialect, event, final).flatMap((one, place) => {
          // A task, or the one that stands for a reply, is told in updates of its artifacts, in their order.
          const index = event.artifactUpdate === undefined ? place : artifactIndex;
          const isLast = isFinal(json[place]);
          return encodeEvent(one, { final: isLast, artifactIndex: () => index });
        });
        deepStrictEqual(again, json);
      }),
      { numRuns },
    );
  });

  it("a push notification arrives as it was, but for what the dialect cannot say", () => {
    fc.assert(
      fc.property(streamResponse, task, (event, current) => {
        const received = exchangePushPayload(dialect, event, current);
        const expected = tellsEvents(dialect)
          ? forget[dialect].event(event)[0]
          : { task: forget[dialect].task(current) };
        deepStrictEqual(received, expected);
        const { body } = encodePushPayload(event, current);
        deepStrictEqual(throughJson(body), body);
        deepStrictEqual(encodePushPayload(received, received.task ?? current).body, body);
      }),
      { numRuns },
    );
  });

  it("the progress and the error of a status survive in tasks and in updates", () => {
    const details = fc
      .record(
        { progress: jsonValue, error: jsonValue },
        { requiredKeys: [], noNullPrototype: true },
      )
      .filter((one) => Object.values(one).every((value) => value !== null));
    fc.assert(
      fc.property(details, taskStatus, message, filledText, (given, status, words, key) => {
        const owner = {
          status: { ...status, message: words },
          metadata: { [statusDetailsUri]: given, [`x${key}`]: true },
        };
        const whole = { id: "t1", contextId: "c1", ...owner };
        const received = exchangeResult(dialect, "getTask", { result: whole, request: whole });
        deepStrictEqual(received, forget[dialect].task(whole));
        const event = { statusUpdate: { taskId: "t1", contextId: "c1", ...owner } };
        deepStrictEqual(exchangeEvent(dialect, event, false), forget[dialect].event(event));
      }),
      { numRuns },
    );
  });
});

describe("a push notification", () => {
  it.each(dialects)("is labelled as dialect %s has it", (dialect) => {
    verifies("push:content-type", "push:payload");
    const current = { id: "t1", status: { state: "TASK_STATE_WORKING" } } as const;
    const event = { statusUpdate: { taskId: "t1", contextId: "c1", status: current.status } };
    const { contentType, body } = codecs[dialect].encodePushPayload(event, current);
    expect(contentType).toBe(dialect === "1.0" ? "application/a2a+json" : "application/json");
    if (tellsEvents(dialect)) expect(body).toMatchObject({ statusUpdate: { taskId: "t1" } });
    else expect(body).toMatchObject({ id: "t1" });
    if (dialect === "1.0") expect(body).toStrictEqual(event);
  });
});

describe("whether a stream ends", () => {
  const event = {
    statusUpdate: { taskId: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } },
  } as const;

  it.each([
    ["0.1", true, { final: true }],
    ["0.1", false, { final: false }],
    ["0.1+0.3", true, { final: true }],
    ["0.1+0.3", false, { final: false }],
    ["0.3", true, { final: true }],
    ["0.3", false, { final: false }],
    ["0.3+type", false, { final: false }],
    ["0.3-schema", true, { statusUpdate: { final: true } }],
    ["0.3-schema", false, { statusUpdate: { final: false } }],
    ["0.3-proto", true, { statusUpdate: { final: true } }],
  ] as const)("is said in dialect %s: %s", (dialect, final, expected) => {
    expect(codecs[dialect].encodeEvent(event, { final })[0]).toMatchObject(expected);
  });

  it.each([true, false])("is not said in dialect 1.0: %s", (final) => {
    expect(codecs["1.0"].encodeEvent(event, { final })).toStrictEqual([event]);
  });
});

describe("a task in dialect 0.1", () => {
  const whole = { append: false, lastChunk: true };

  it("is streamed as its artifacts and its status, of which only the status can be the last", () => {
    const [first, second, last, ...more] = codecs["0.1"].encodeEvent(
      {
        task: {
          id: "t1",
          contextId: "c1",
          status: { state: "TASK_STATE_COMPLETED" },
          artifacts: [
            { artifactId: "a", parts: [{ text: "1" }] },
            { artifactId: "b", parts: [{ text: "2" }] },
          ],
        },
      },
      { final: true },
    );
    const parts = (text: string): JsonValue => [{ type: "text", text }];
    expect(first).toEqual({ id: "t1", artifact: { index: 0, parts: parts("1"), ...whole } });
    expect(second).toEqual({ id: "t1", artifact: { index: 1, parts: parts("2"), ...whole } });
    expect(last).toEqual({ id: "t1", status: { state: "completed" }, final: true });
    expect(more).toEqual([]);
  });

  it("stands for a direct reply, under the id that the caller gave", () => {
    const reply = { messageId: "m2", role: "ROLE_AGENT", parts: [{ text: "hi" }] } as const;
    const events = codecs["0.1"].encodeEvent({ message: reply }, { taskId: "t1", final: false });
    const parts = [{ type: "text", text: "hi" }];
    expect(events).toEqual([
      { id: "t1", artifact: { index: 0, parts, ...whole } },
      { id: "t1", status: { state: "completed", message: { role: "agent", parts } }, final: true },
    ]);
  });
});

describe("a failure that a peer tells by an error alone", () => {
  it.each(["0.1", "0.3"] as const)("is also told by a message, read in dialect %s", (dialect) => {
    const error = { code: "E1", message: "out of paper" };
    const json = { id: "t1", contextId: "c1", status: { state: "failed", error }, final: true };
    expect(codecs[dialect].decodeResult.getTask(json, clientCursor(), {})).toMatchObject({
      status: {
        state: "TASK_STATE_FAILED",
        message: { role: "ROLE_AGENT", parts: [{ text: "out of paper" }, { data: error }] },
      },
      metadata: { [statusDetailsUri]: { error } },
    });
  });

  it.each(["0.1", "0.3"] as const)(
    "keeps its own message where it has one, read in dialect %s",
    (dialect) => {
      const message = { role: "agent", parts: [{ kind: "text", text: "sorry" }] };
      const json = { id: "t1", status: { state: "failed", error: { code: 1 }, message } };
      const { status } = codecs[dialect].decodeResult.getTask(json, clientCursor(), {});
      expect(status.message?.parts).toEqual([{ text: "sorry" }]);
    },
  );
});

function isFinal(json: JsonValue | undefined): boolean {
  const { final, statusUpdate } = json as JsonObject & { statusUpdate?: JsonObject };
  return final === true || statusUpdate?.["final"] === true;
}
