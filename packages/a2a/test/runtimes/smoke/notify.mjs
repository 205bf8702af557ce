/** Sends push notifications to a receiver of this process, whose name stands for an address of this machine. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createPushSender } from "@parley/a2a/node";

const event = {
  statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } },
};

/** What came of a notification that is allowed, and of those that are not: the name is private. */
export async function notify() {
  let received = 0;
  const receiver = createServer((_, response) => {
    received += 1;
    response.end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address();

  async function send(scheme, rules) {
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const sender = createPushSender({ ...rules, resolve });
    const config = { id: "p", taskId: "t", url: `${scheme}://receiver.example:${port}/` };
    const notification = { id: "n", config, dialect: "1.0", event, sequence: 2, attempt: 1 };
    const outcome = await sender.send(notification, new AbortController().signal);
    await sender.close();
    return outcome.reason ?? outcome.kind;
  }

  const outcomes = {
    allowed: await send("http", { allowPrivate: true }),
    http: await send("http", { schemes: ["http"] }),
    https: await send("https", {}),
  };
  receiver.close();
  receiver.closeAllConnections();
  return { ...outcomes, received };
}
