import { describe, expect, it } from "vitest";
import { verifies } from "../../spec/verifies.js";
import { call, say, sayEarlier, send } from "../../support/clients/http-client.js";
import { openServer } from "../../support/servers/open-server.js";

const plain = "application/json";
const own = "application/a2a+json";

/** What a caller of 1.0 says that it accepts, and what it gets. */
const accepts: readonly (readonly [accept: string | string[] | undefined, type: string])[] = [
  [undefined, own],
  ["*/*", own],
  ["application/*", own],
  [own, own],
  [plain, plain],
  ["Application/JSON; charset=utf-8", plain],
  [`${plain}, ${own}`, own],
  [`${own}, ${plain}`, own],
  [`${plain}, ${own};q=0.9`, plain],
  [`${plain};q=0.9, ${own}`, own],
  [`${plain}, text/plain, */*`, plain],
  [[plain, "*/*"], plain],
  [`${plain};q=0.5, */*`, own],
  [`${plain};q=0, */*;q=0.1`, own],
  ["text/event-stream", plain],
  ["text/html", plain],
];

function withAccept(accept: string | string[] | undefined): Record<string, string | string[]> {
  return accept === undefined ? {} : { Accept: accept };
}

describe("the media type of REST", () => {
  it.each(accepts)("of 1.0 for a caller that accepts %j is %s", async (accept, type) => {
    verifies("rest:content-type");
    await using server = await openServer();
    const headers = withAccept(accept);
    const answers = await Promise.all([
      send(server.url, "POST /message:send", { headers, json: say("echo hi") }),
      send(server.url, "GET /tasks", { headers }),
      send(server.url, "GET /tasks/gone", { headers }),
      send(server.url, "GET /nothing", { headers }),
      send(server.url, "POST /message:stream", { headers, json: say("hi", { taskId: "gone" }) }),
      send(server.url, "POST /message:send", { headers, body: "{" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404, 400]);
    const types = new Set(answers.map(({ headers: { "content-type": found } }) => found));
    expect([...types]).toEqual([type]);
  });

  it.each(accepts)("of 0.3 for a caller that accepts %j is plain JSON", async (accept) => {
    await using server = await openServer();
    const headers = withAccept(accept);
    const answers = await Promise.all([
      send(server.url, "POST /v1/message:send", { headers, json: sayEarlier("echo hi") }),
      send(server.url, "GET /v1/tasks/gone", { headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
    for (const answer of answers) expect(answer.headers["content-type"]).toBe(plain);
  });

  it.each([
    [own, undefined],
    [plain, plain],
  ])("of a removed push configuration is %s, with a body", async (type, accept) => {
    await using server = await openServer();
    const { result } = await call(server.url, "SendMessage", say("flight"));
    const path = `/tasks/${result.task.id}/pushNotificationConfigs/c1`;
    const answer = await send(server.url, `DELETE ${path}`, { headers: withAccept(accept) });
    expect(answer).toMatchObject({ status: 200, text: "{}", headers: { "content-type": type } });
    const earlier = await send(server.url, `DELETE /v1${path}`);
    expect(earlier).toMatchObject({ status: 204, text: "" });
  });
});
