import { expect, it, onTestFinished } from "vitest";
import { openWebServer } from "../../src/node/web-server.js";
import { send } from "../support/clients/http-client.js";
import type { Answer } from "../support/clients/http-client.js";

it("requests that come before the server has started wait, a thousand at most", async () => {
  const server = await openWebServer({ port: 0, host: "127.0.0.1", drainMs: 0 });
  onTestFinished(() => server.close());
  const answers: Answer[] = [];
  const sent = Array.from({ length: 1010 }, async () => {
    answers.push(await send(server.url, "GET /"));
  });
  await expect.poll(() => answers.length).toBe(10);
  for (const { status, headers, text } of answers) {
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect(text).toBe("The server is starting; try again.\n");
  }
  const listener = Object.assign(
    (_: unknown, response: { end(text: string): void }) => response.end("hello"),
    { drain: async () => undefined },
  );
  server.start(listener);
  await Promise.all(sent);
  expect(answers.filter(({ text }) => text === "hello")).toHaveLength(1000);
});
