import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { countdown } from "../../../../examples/countdown.js";
import { echo } from "../../../../examples/echo.js";
import { travel } from "../../../../examples/travel.js";
import { openRuntime } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { call, say } from "../support/runtime/open-test-runtime.js";
import {
  artifactText,
  describeEvents,
  stateOf,
  taskOf,
  textIn,
} from "../support/runtime/answers.js";
import { collect, watchInBackground } from "../support/streams.js";
import { until } from "../support/time/until.js";

describe("the examples", () => {
  it("echo says what you say", async () => {
    await using runtime = await openRuntime({ agent: echo, store: createMemoryStore() });
    const { message } = await runtime.sendMessage(say("hello"), call());
    expect(message && textIn(message.parts)).toBe("You said: hello");
  });

  it("countdown counts down", async () => {
    await using runtime = await openRuntime({ agent: countdown, store: createMemoryStore() });
    const events = await collect(runtime.sendStreamingMessage(say("2"), call()));
    expect(describeEvents(events)).toEqual([
      "task submitted",
      "status working",
      "artifact answer = 2 ",
      "artifact answer += 1 ",
      "artifact answer += Liftoff!",
      "status completed",
    ]);
  });

  it("countdown can be canceled", async () => {
    await using runtime = await openRuntime({ agent: countdown, store: createMemoryStore() });
    const watching = watchInBackground(runtime.sendStreamingMessage(say("1000"), call()));
    await until(() => watching.events.length >= 3);
    const id = watching.events[0]?.response.task?.id ?? "";
    const task = await runtime.cancelTask({ id }, call());
    expect(stateOf(task)).toBe("canceled");
    await watching.done;
    expect(artifactText(task)).toMatch(/^1000 /);
  });

  it("travel asks where and when, across a restart, then offers a flight", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const open = () => openRuntime({ agent: travel, store, clock });
    let taskId: string | undefined;
    const questions: string[] = [];
    for (const text of ["hi", "Tokyo", "Monday"]) {
      await using runtime = await open();
      const members = taskId === undefined ? {} : { taskId };
      const task = taskOf(await runtime.sendMessage(say(text, members), call()));
      taskId = task.id;
      questions.push(textIn(task.status.message?.parts ?? []));
      if (text !== "Monday") expect(stateOf(task)).toBe("input_required");
      else {
        expect(stateOf(task)).toBe("completed");
        expect(task.artifacts).toEqual([
          {
            artifactId: "offer.json",
            parts: [{ data: { flight: "PY 42", to: "Tokyo", on: "Monday", price: 420 } }],
          },
        ]);
      }
    }
    expect(questions).toEqual(["Where would you like to fly to?", "On which day?", ""]);
  });

  it.each([
    ["echo", 10],
    ["countdown", 15],
    ["travel", 15],
  ])("%s has at most %i lines, and needs no casts", async (name, lines) => {
    const file = new URL(`../../../../examples/${name}.ts`, import.meta.url);
    const source = await readFile(file, "utf8");
    expect(source.trimEnd().split("\n").length).toBeLessThanOrEqual(lines);
    const [, body = ""] = source.split("agent({");
    expect(body).not.toMatch(/\bas\b|\bany\b|!\.|@ts-/);
  });
});
