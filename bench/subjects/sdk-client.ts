import { SendMessageRequest } from "a2a-sdk-1.0";
import { ClientFactory } from "a2a-sdk-1.0/client";
import { costOfCalls } from "./cost-of-calls.js";
import type { OpenSubject } from "./subject.js";

/** The SDK's client, made as its documentation says. */
export const open: OpenSubject = async ({ url = "" }) => {
  const client = await new ClientFactory().createFromUrl(url);
  const requestOf = (text: string): SendMessageRequest =>
    SendMessageRequest.fromJSON({
      message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] },
    });
  const send = costOfCalls(async (text) => void (await client.sendMessage(requestOf(text))));
  return {
    calls: {
      text: send,
      send,
      stream: costOfCalls(async (text) => {
        let events = 0;
        for await (const _ of client.sendMessageStream(requestOf(text))) events += 1;
        if (events < 1000) throw new Error(`only ${events} events were heard`);
      }),
    },
  };
};
