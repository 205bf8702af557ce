/**
 * A server in a process of its own, which tells how much work at a time kept it from its other callers, and how much
 * memory it takes.
 */
import process from "node:process";
import { setInterval } from "node:timers";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";

const { isProtected = false, ...options } = JSON.parse(process.argv[2]);

const echo = agent({
  name: "Echo",
  description: "Takes everything",
  inputModes: ["*/*"],
  capabilities: { pushNotifications: true },
  run: () => "taken",
});

const { key, hash } = await createKey();
const scheme = apiKey({ in: "header", name: "X-Key", keys: [{ subject: "ada", hash }] });
const auth = createAuthenticator({ schemes: { key: scheme } });

const server = await serve(echo, {
  port: 0,
  store: createMemoryStore(),
  ...(isProtected && { auth }),
  ...options,
});

/** The time that this process works is measured, not the time that passes: other processes may be busy, too. */
let last = process.cpuUsage();
let longestMs = 0;
setInterval(() => {
  const { user, system } = process.cpuUsage(last);
  last = process.cpuUsage();
  longestMs = Math.max(longestMs, (user + system) / 1000);
}, 1);

process.on("disconnect", () => process.exit());
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ longestMs, rss, held: heapUsed + external });
  longestMs = 0;
});
process.send({ port: server.port, key });
