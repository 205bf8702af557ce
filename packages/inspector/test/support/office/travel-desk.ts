import { agent, textOf } from "@parley/a2a";
import type { Agent } from "@parley/a2a";

const hotels = `Hotel,Per night,River,Cancel until
Casa do Rio,€164,120 m,Thu 18:00
Pensão Aurora,€138,450 m,Thu 12:00
Ribeira 21,€176,80 m,Wed 23:59
`;

const answer =
  "Booked at Casa do Rio. You can cancel until Thursday, 18:00. The room looks at the river; breakfast is included, and the tram stops at the door. ".match(
    /\S+\s/gu,
  ) ?? [];

/** How many chunks the answer has where somebody wants to know all about a hotel. */
export const chunkCount = 1243;

/**
 * An agent that takes its time: it searches, asks, and streams a long answer. `pass` lets time pass, so that its tasks have a
 * life of minutes within a moment.
 */
export function travelDesk(pass: (ms: number) => void): Agent {
  return agent({
    name: "Travel desk",
    description:
      "Finds hotels by the river and holds rooms, with free cancellation where you want it",
    durable: true,
    capabilities: { pushNotifications: true },
    skills: [
      {
        id: "hotels",
        name: "Hotels",
        description: "Finds a hotel and holds a room",
        tags: ["travel", "booking"],
        examples: ["A hotel in Lisbon for two nights from Friday, near the river, under €180."],
      },
      {
        id: "visa",
        name: "Visa",
        description: "Says which visa a journey needs",
        tags: ["travel"],
        examples: ["Do I need a visa for Norway?"],
      },
    ],
    async *run({ text, ask, step, fail, signal }) {
      if (/visa/iu.test(text)) {
        await ask("Which passport do you have?", { name: "passport" });
        return "No visa is needed.";
      }
      if (/refund/iu.test(text)) fail("The booking was not refundable.", { code: "NO_REFUND" });
      if (/notify/iu.test(text)) {
        yield { status: "Looking" };
        return { completed: "Nothing has changed." };
      }
      if (/wait/iu.test(text)) {
        yield { status: "Asking the hotel" };
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      }
      pass(190);
      yield { status: "Searching 214 hotels", metadata: { found: 214 } };
      await step("search", () => {
        pass(1310);
        return { hotels: 214, near: 3 };
      });
      await step("prices", () => {
        pass(720);
        return [164, 138, 176];
      });
      yield {
        artifact: "hotels",
        name: "hotels.csv",
        file: {
          bytes: new TextEncoder().encode(hotels),
          mediaType: "text/csv",
          filename: "hotels.csv",
        },
      };
      const free = await ask("I found three that fit. Do you need **free cancellation**?", {
        name: "free cancellation",
      });
      const words = textOf(free) === "" ? [] : answer;
      const count = /all about it/iu.test(text) ? chunkCount : words.length;
      for (let chunk = 0; chunk < count; chunk += 1) {
        pass(2 + Math.round(2 + 2 * Math.sin(chunk / 90)) + Math.max(0, (chunk - 1000) / 60));
        yield words[chunk % words.length] ?? "";
        // Commits are apart, as those of a model's tokens are.
        if (chunk % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await step("hold-room", () => {
        pass(380);
        return { room: 12, until: "Thu" };
      });
      return { completed: "Booked." };
    },
  });
}

/** An agent that works without an end. Where it is begun again it is durable, and goes on. */
export function endlessDesk(name: string): Agent {
  return agent({
    name,
    description: "Works without an end",
    durable: true,
    async *run({ signal }) {
      yield { status: "Working" };
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped"))),
      );
    },
  });
}
