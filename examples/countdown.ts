import { setTimeout as sleep } from "node:timers/promises";
import { agent } from "@parley/a2a";

export const countdown = agent({
  name: "Countdown",
  description: "Counts down from the number you send; can be canceled",
  async *run({ text, signal }) {
    for (let count = Number(text) || 10; count > 0; count -= 1) {
      yield `${count} `;
      await sleep(100, undefined, { signal });
    }
    yield "Liftoff!";
  },
});
