/**
 * A server of its own, over HTTP and a SQLite file, whose agent has runs that never end. It tells the process that
 * forked it where it listens, and how many of those runs have begun.
 */
import process from "node:process";
import { serve } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";

const { path, settings } = JSON.parse(process.argv[2]);
let begun = 0;

const endless = agent({
  name: "Endless",
  description: "Greets, or never ends",
  durable: true,
  async *run({ text }) {
    if (text === "hello") return "Hi";
    begun += 1;
    process.send({ begun });
    if (text === "endless") yield "begun";
    return new Promise(() => undefined);
  },
});

const { url } = await serve(endless, { port: 0, store: path, settings });
process.send({ url });
