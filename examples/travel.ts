import { agent, textOf } from "@parley/a2a";

export const travel = agent({
  name: "Travel",
  description: "Asks where and when, then offers a flight; survives restarts",
  durable: true,
  async *run({ ask, step }) {
    const to = textOf(await ask("Where would you like to fly to?"));
    const on = textOf(await ask("On which day?"));
    yield { status: `Looking for a flight to ${to}` };
    const offer = await step("search", () => ({ flight: "PY 42", to, on, price: 420 }));
    yield { artifact: "offer.json", data: offer };
  },
});
