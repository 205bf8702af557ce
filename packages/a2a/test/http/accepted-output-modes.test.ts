import { expect, it, onTestFinished } from "vitest";
import { agent } from "@parley/a2a/server";
import { verifies } from "../spec/verifies.js";
import { createGrpcTransport } from "../../src/grpc/index.js";
import { ask, textMessage } from "../support/clients/dialect-client.js";
import { addressOf } from "../support/servers/open-served.js";
import { openServer } from "../support/servers/open-server.js";

/** Answers in HTML to those who take it, with JSON to those who take that, and else in plain text. */
const polyglot = agent({
  name: "Polyglot",
  description: "Answers in the media type that the caller takes",
  outputModes: ["text/html", "application/json", "text/plain"],
  run({ accepts }) {
    if (accepts("text/html")) return { text: "<p>hi</p>", mediaType: "text/html" };
    return accepts("application/json") ? { data: { hi: true } } : "hi";
  },
});

const html = { text: "<p>hi</p>", mediaType: "text/html" };
const cases: readonly (readonly [accepted: readonly string[] | undefined, part: object])[] = [
  [undefined, html],
  [[], html],
  [["text/*"], html],
  [["image/png", "TEXT/HTML; q=1"], html],
  [["application/json"], { data: { hi: true } }],
  // Nothing is refused or left out: the agent answers as it can.
  [["text/plain"], { text: "hi" }],
  [["image/png"], { text: "hi" }],
];

const configurationOf = (acceptedOutputModes: readonly string[] | undefined) =>
  acceptedOutputModes === undefined ? {} : { configuration: { acceptedOutputModes } };

it.each(["0.3", "0.3+type", "0.3-schema", "0.3-proto", "1.0", "1.0 REST"] as const)(
  "a handler fits its answer to what a caller of %s accepts",
  async (speech) => {
    verifies("send:accepted-output-modes");
    await using server = await openServer({ agent: polyglot });
    for (const [accepted, part] of cases) {
      const request = { ...textMessage("go"), ...configurationOf(accepted) };
      const { result } = await ask(server.url, speech, "sendMessage", request);
      const [{ mediaType: _, ...said } = {}] = result.message?.parts ?? [];
      const { mediaType: __, ...expected } = { mediaType: "", ...part };
      // Media types of text reach callers of 1.0 alone.
      if (speech.startsWith("1.0")) expect(result.message?.parts).toEqual([part]);
      else expect(said).toEqual(expected);
    }
  },
);

it.each(["0.3", "1.0"] as const)("and of gRPC %s", async (version) => {
  verifies("send:accepted-output-modes");
  await using server = await openServer({ agent: polyglot, grpc: { port: 0 } });
  const transport = createGrpcTransport({ address: addressOf(server), version });
  onTestFinished(() => transport.close());
  for (const [accepted, part] of cases) {
    const request = { ...textMessage("go"), ...configurationOf(accepted) };
    const { message } = await transport.sendMessage(request, { version });
    const [said] = message?.parts ?? [];
    expect({ text: said?.text, data: said?.data }).toEqual({
      text: undefined,
      data: undefined,
      ...("text" in part ? { text: part.text } : part),
    });
  }
});
