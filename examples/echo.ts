import { agent } from "@parley/a2a";

export const echo = agent({
  name: "Echo",
  description: "Says what you say",
  run: ({ text }) => `You said: ${text}`,
});
