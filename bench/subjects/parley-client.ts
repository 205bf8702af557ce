import { connect } from "@parley/a2a";
import { costOfCalls } from "./cost-of-calls.js";
import type { OpenSubject } from "./subject.js";

/** Parley's client. */
export const open: OpenSubject = async ({ url = "" }) => {
  const agent = await connect(url);
  return {
    calls: {
      text: costOfCalls(async (words) => void (await agent.text(words))),
      send: costOfCalls(async (text) => {
        const message = {
          messageId: crypto.randomUUID(),
          role: "ROLE_USER",
          parts: [{ text }],
        } as const;
        await agent.service.sendMessage({ message });
      }),
      stream: costOfCalls(async (words) => {
        let events = 0;
        for await (const _ of agent.stream(words)) events += 1;
        if (events < 1000) throw new Error(`only ${events} events were heard`);
      }),
    },
  };
};
