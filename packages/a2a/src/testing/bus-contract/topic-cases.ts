import { assert, assertEqual } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { strangeIds } from "../store-contract/samples.js";
import { publishUntil, settle } from "./bus-bench.js";
import type { BusBench } from "./bus-bench.js";

const maxLength = 1000;

/** What holds for topics, within one node. */
export const topicCases: Statements<BusBench> = {
  "everyone who listens to a topic hears what is told, and nobody else": async ({ bus }) => {
    const heard = new Set<string>();
    bus.subscribeTopic("abandoned", (message) => heard.add(`first: ${message}`));
    bus.subscribeTopic("abandoned", (message) => heard.add(`second: ${message}`));
    bus.subscribeTopic("drain", (message) => heard.add(`other: ${message}`));
    await publishUntil(
      () => bus.publishTopic("abandoned", "travel"),
      () => heard.size >= 2,
      "two who hear",
    );
    await settle();
    assertEqual([...heard].toSorted(), ["first: travel", "second: travel"], "what is heard");
  },

  "who listens to a topic hears asynchronously": async ({ bus }) => {
    let isTelling = false;
    let isHeard = false;
    let isTooEarly = false;
    bus.subscribeTopic("drain", () => {
      isHeard = true;
      isTooEarly ||= isTelling;
    });
    const tell = (): void => {
      isTelling = true;
      bus.publishTopic("drain", "n1");
      isTelling = false;
    };
    await publishUntil(tell, () => isHeard, "a message");
    assert(!isTooEarly, "the message came before publishTopic returned");
  },

  "who stopped listening to a topic hears nothing": async ({ bus }) => {
    const heard: string[] = [];
    const { stop } = bus.subscribeTopic("drain", () => heard.push("stopped"));
    bus.subscribeTopic("drain", () => heard.push("stays"));
    stop();
    stop();
    await publishUntil(
      () => bus.publishTopic("drain", "n1"),
      () => heard.length > 0,
      "a message to who stays",
    );
    await settle();
    assert(!heard.includes("stopped"), "who stopped listening hears");
  },

  "topics and tasks of the same name are apart": async ({ bus }) => {
    const heard = new Set<string>();
    bus.subscribe("drain", () => heard.add("task"));
    bus.subscribeTopic("drain", () => heard.add("topic"));
    await publishUntil(
      () => bus.publishTopic("drain", "n1"),
      () => heard.has("topic"),
      "a message",
    );
    await settle();
    assert(!heard.has("task"), "a message of a topic wakes who watches a task");
  },

  "messages of topics have any characters": async ({ another, bus }) => {
    const other = await another();
    const heard = new Set<string>();
    const { ready } = other.subscribeTopic("abandoned", (message) => heard.add(message));
    await ready;
    const names = strangeIds.filter((id) => id.length <= maxLength);
    const messages = [...names, "", "two\nlines\n\nof text", "任".repeat(maxLength)];
    for (const message of messages) {
      await publishUntil(
        () => bus.publishTopic("abandoned", message),
        () => heard.has(message),
        `the message ${message}`,
      );
    }
    assertEqual([...heard].toSorted(), messages.toSorted(), "what is heard");
  },

  "a long message harms nothing": async ({ bus, another }) => {
    const other = await another();
    const heard = new Set<string>();
    other.subscribeTopic("abandoned", (message) => heard.add(message));
    bus.publishTopic("abandoned", "任".repeat(100_000));
    await publishUntil(
      () => bus.publishTopic("abandoned", "travel"),
      () => heard.has("travel"),
      "a message after a long one",
    );
  },
};
