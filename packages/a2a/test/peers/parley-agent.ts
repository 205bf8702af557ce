/**
 * The agent that the peers' clients call, in a process of its own. `script.ts` says what it does with a message: the
 * peers' agents do the same. Prints where it is, and ends when its parent closes its standard input.
 */
import { createHash } from "node:crypto";
import process from "node:process";
import { agent, bytesOf, textOf } from "@parley/a2a";
import type { Outcome, Output, Part } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";

const isFile = (part: Part): boolean => part.raw !== undefined || part.url !== undefined;

/** Which bytes, or which URL, arrived. */
const described = (part: Part): string =>
  `${part.filename} ${part.mediaType} ${part.url ?? createHash("sha256").update(bytesOf(part)).digest("hex")}`;

const actor = (capabilities: { readonly pushNotifications: boolean }) =>
  agent({
    name: "Actor",
    description: "Does what the first word of a message says",
    version: "1.0.0",
    inputModes: ["*/*"],
    outputModes: ["*/*"],
    capabilities,
    async *run({ text, message, ask, signal }): AsyncGenerator<Output, Outcome, void> {
      const [word = "", rest = ""] = text.split(/ (.*)/su);
      if (word === "say") return rest;
      yield { status: "Working" };
      if (word === "echo") yield `echo: ${rest}`;
      if (word === "files") {
        const files = message.parts.filter(isFile);
        yield files.map(described).join("\n");
        yield* files;
      }
      if (word === "ask") yield `You chose ${textOf(await ask("Which colour?"))}`;
      if (word === "hold") {
        yield "one ";
        yield "two ";
        await fetch(rest, { signal });
        yield "three";
      }
    },
  });

async function open(pushNotifications: boolean) {
  const server = await serve(actor({ pushNotifications }), {
    port: 0,
    grpc: { port: 0, inCard: true },
    store: createMemoryStore(),
    push: { allowPrivate: true },
    settings: { stopGraceMs: 100 },
  });
  return { server, at: { http: server.url, grpc: server.grpcAddress } };
}

const whole = await open(true);
const withoutPush = await open(false);
process.stdout.write(`${JSON.stringify({ whole: whole.at, withoutPush: withoutPush.at })}\n`);
process.stdin.resume().once("end", () => {
  void Promise.all([whole.server.close(), withoutPush.server.close()]).then(() => process.exit());
});
