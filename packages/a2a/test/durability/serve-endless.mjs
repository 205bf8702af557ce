/**
 * A server of its own, over HTTP and a SQLite file, whose agent has runs that never end, and runs that ask. It tells the
 * process that forked it where it listens, and how many of those runs have begun.
 */
import process from "node:process";
import { serve } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { openSqliteStore } from "@parley/a2a/store/sqlite";

const { path, settings } = JSON.parse(process.argv[2]);
let begun = 0;

const endless = agent({
  name: "Endless",
  description: "Greets, asks, or never ends",
  durable: true,
  async *run({ text, ask }) {
    if (text === "hello") return "Hi";
    if (text.startsWith("ask")) {
      await ask("Well?");
      return `${text.length}`;
    }
    begun += 1;
    process.send({ begun });
    if (text === "endless") yield "begun";
    return new Promise(() => undefined);
  },
});

const store = await openSqliteStore({ path, durability: "process" });
const { url } = await serve(endless, { port: 0, store, settings });
process.send({ url });
