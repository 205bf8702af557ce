/**
 * A node over a store that another node fills at the same time. When it is told to go, it sends many messages and
 * registers many webhooks at once, and says how many were taken.
 */
import { once } from "node:events";
import process from "node:process";
import { agent, openRuntime } from "@parley/a2a/server";
import { openSqliteStore } from "@parley/a2a/store/sqlite";

const [, , path, name, taskId] = process.argv;
const store = await openSqliteStore({ path, durability: "process" });
const run = () => ({ inputRequired: "?" });
const filled = agent({
  name: "Filled",
  description: "Keeps what it gets",
  capabilities: { pushNotifications: true },
  run,
});
const settings = { maxTasksPerPrincipal: 10 };
const runtime = await openRuntime({ agent: filled, store, settings });
const ada = { version: "1.0", principal: { subject: "ada" } };

process.stdout.write("ready\n");
await once(process.stdin, "data");
const url = "https://hook.example/";
const tasks = count(50, (index) => {
  const message = { messageId: `${name} ${index}`, role: "ROLE_USER", parts: [{ text: "go" }] };
  return runtime.sendMessage({ message }, ada);
});
const configs = count(80, (index) =>
  runtime.createTaskPushNotificationConfig({ taskId, id: `${name} ${index}`, url }, ada),
);
process.stdout.write(`${JSON.stringify({ tasks: await tasks, configs: await configs })}\n`);
await runtime.close();
await store.close();
process.stdin.destroy();

async function count(times, attempt) {
  const outcomes = await Promise.allSettled(Array.from({ length: times }, (_, i) => attempt(i)));
  const refused = outcomes.filter(({ status }) => status === "rejected");
  for (const { reason } of refused) if (reason.code !== "RESOURCE_EXHAUSTED") throw reason;
  return times - refused.length;
}
