import { describe, expect, it } from "vitest";
import type { Operation, RequestOf } from "@parley/a2a";
import { createGrpcTransport } from "@parley/a2a/grpc";
import { codecs } from "@parley/a2a/wire";
import { ask, dialectOf, isRest, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import { openServer } from "../support/servers/open-server.js";
import { addressOf } from "../support/servers/open-served.js";

const push = { allowPrivate: ["127.0.0.0/8"], schemes: ["http"] as const };
const earlier = ["0.1", "0.3", "0.3+type", "0.3-schema", "0.3-proto"] as const;

/** A request as text, changed by hand: the codec writes no empty lists. */
function altered<O extends Operation>(
  speech: Speech,
  operation: O,
  request: RequestOf<O>,
  [from, to]: readonly [string, string] = ["", ""],
): Parameters<typeof send> extends [string, ...infer Rest] ? Rest : never {
  const [route, { json, ...options }] = write(speech, operation, request);
  const text = JSON.stringify(json);
  if (!text.includes(from)) throw new Error(`${from} is not in ${text}`);
  const headers = { "Content-Type": "application/json" };
  return [route, { ...options, headers, body: text.replace(from, to) }];
}

const empties = [
  ["an empty object", "{}"],
  ["an empty list of schemes", '{"schemes":[]}'],
] as const;

describe.each(earlier)("a webhook whose authentication is empty, in %s", (speech) => {
  const config = (url: string) => ({ url, authentication: { scheme: "Bearer" } });
  const written = '{"schemes":["Bearer"]}';

  it.each(empties)("is registered, and gets no credentials: %s", async (_, empty) => {
    await using receiver = await openReceiver();
    await using server = await openServer({ push });
    const { result } = await ask(server.url, speech, "sendMessage", textMessage("flight"));
    const taskId = result.task?.id ?? "";
    const request = { taskId, ...config(`${receiver.url}/hook`) };
    const operation = "createTaskPushNotificationConfig";
    const answer = await send(server.url, ...altered(speech, operation, request, [written, empty]));
    expect(answer.text).toContain(`${receiver.url}/hook`);
    expect(answer.text).not.toContain("error");
    await ask(server.url, speech, "sendMessage", textMessage("Tokyo", { taskId }));
    await receiver.until(1);
    expect(receiver.received[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each(empties)("is registered with a message: %s", async (_, empty) => {
    await using receiver = await openReceiver();
    await using server = await openServer({ push });
    const taskPushNotificationConfig = config(`${receiver.url}/hook`);
    const request = { ...textMessage("flight"), configuration: { taskPushNotificationConfig } };
    await send(server.url, ...altered(speech, "sendMessage", request, [written, empty]));
    await receiver.until(1);
    expect(receiver.received[0]?.headers).not.toHaveProperty("authorization");
  });

  it("but for credentials, is refused by the name that the caller knows", async () => {
    await using server = await openServer({ push });
    const { result } = await ask(server.url, speech, "sendMessage", textMessage("flight"));
    const request = { taskId: result.task?.id ?? "", ...config("http://127.0.0.1:8080/hook") };
    const answer = await send(
      server.url,
      ...altered(speech, "createTaskPushNotificationConfig", request, [
        written,
        '{"schemes":[],"credentials":"s"}',
      ]),
    );
    expect(fieldIn(speech, answer)).toBe("pushNotificationConfig.authentication.schemes");
  });
});

describe("a webhook whose authentication is empty, over gRPC of 0.3", () => {
  it("is registered", async () => {
    await using server = await openServer({ push, grpc: { port: 0 } });
    using transport = createGrpcTransport({ address: addressOf(server), version: "0.3" });
    const { task } = await transport.sendMessage(textMessage("flight"));
    const taskId = task?.id ?? "";
    const url = "http://127.0.0.1:8080/hook";
    // An empty list is no field on the wire of protobuf, so this is an empty message.
    const authentication = { scheme: "", schemes: [] };
    const config = { taskId, id: "c1", url, authentication };
    const created = await transport.createTaskPushNotificationConfig(config);
    expect(created).toMatchObject({ taskId, url });
    expect(created).not.toHaveProperty("authentication");
  });
});

function fieldIn(speech: Speech, answer: { readonly status: number; readonly text: string }) {
  const codec = codecs[dialectOf(speech)];
  const error = isRest(speech)
    ? codec.decodeHttpError(answer.status, jsonOf(answer))
    : codec.decodeJsonRpcError(jsonOf(answer).error);
  expect(error.code).toBe("INVALID_PARAMS");
  const [{ field } = { field: "" }] = error.details.fieldViolations ?? [];
  return field;
}

/** Where each version has the webhook of a message. */
const inlinePlaces: Readonly<Record<string, string>> = {
  "0.1": "pushNotification",
  "0.3-proto": "configuration.pushNotification",
  "1.0": "configuration.taskPushNotificationConfig",
  "1.0 REST": "configuration.taskPushNotificationConfig",
};

describe.each([...earlier, "1.0", "1.0 REST"] as const)(
  "a webhook that is refused in %s",
  (speech) => {
    const isCurrent = dialectOf(speech) === "1.0";
    const inline = inlinePlaces[speech] ?? "configuration.pushNotificationConfig";
    const scheme = isCurrent ? "authentication.scheme" : "authentication.schemes[0]";
    const bad = "a\u0007b";
    const url = "http://127.0.0.1:8080/hook";
    const cases = [
      ["url", { url: "http://10.0.0.1/hook" }],
      ["token", { url, token: bad }],
      [
        "authentication.credentials",
        { url, authentication: { scheme: "Basic", credentials: bad } },
      ],
      [scheme, { url, authentication: { scheme: bad } }],
    ] as const;

    it.each(cases)("is refused under the caller's own name for it: %s", async (member, config) => {
      await using server = await openServer({ push });
      const { result } = await ask(server.url, speech, "sendMessage", textMessage("flight"));
      const request = { taskId: result.task?.id ?? "", id: "c1", ...config };
      const create = write(speech, "createTaskPushNotificationConfig", request);
      const place = isCurrent ? "" : "pushNotificationConfig.";
      expect(fieldIn(speech, await send(server.url, ...create))).toBe(`${place}${member}`);

      for (const operation of ["sendMessage", "sendStreamingMessage"] as const) {
        const configuration = { taskPushNotificationConfig: config };
        const message = { ...textMessage("flight"), configuration };
        const answer = await send(server.url, ...write(speech, operation, message));
        expect(fieldIn(speech, { ...answer, text: unframed(answer.text) })).toBe(
          `${inline}.${member}`,
        );
      }
    });
  },
);

/** The JSON of an answer that may be the one frame of an event stream. */
function unframed(text: string): string {
  return /^data: (.*)$/m.exec(text)?.[1] ?? text;
}

describe("a webhook that is refused over gRPC", () => {
  it.each([
    ["0.3", "config.pushNotificationConfig.url", "configuration.pushNotification.url"],
    ["1.0", "url", "configuration.taskPushNotificationConfig.url"],
  ] as const)("of %s is refused by its field", async (version, created, inline) => {
    await using server = await openServer({ push, grpc: { port: 0 } });
    using transport = createGrpcTransport({ address: addressOf(server), version });
    const { task } = await transport.sendMessage(textMessage("flight"));
    const config = { taskId: task?.id ?? "", id: "c1", url: "http://10.0.0.1/hook" };
    const fieldOf = (field: string) => ({ details: { fieldViolations: [{ field }] } });
    await expect(transport.createTaskPushNotificationConfig(config)).rejects.toMatchObject(
      fieldOf(created),
    );
    const configuration = { taskPushNotificationConfig: { url: config.url } };
    const request = { ...textMessage("flight"), configuration };
    await expect(transport.sendMessage(request)).rejects.toMatchObject(fieldOf(inline));
  });
});
