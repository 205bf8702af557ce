import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue, Message, SendMessageRequest, StreamResponse, Task } from "@parley/a2a";
import { codecs, Cursor } from "@parley/a2a/wire";
import type { Hop } from "../../contract/index.js";
import { columns } from "./columns.js";
import type { Column } from "./columns.js";
import { describeFrame } from "./describe-frame.js";
import { findLosses, withoutLosses } from "./losses.js";
import { readFrame, readRequest, readResponse } from "./read-hop.js";
import type { ReadRequest } from "./read-hop.js";
import { translateAnswer, translateRequest } from "./translate.js";

const word = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme-ascii" });
const id = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const metadata = fc.dictionary(id, fc.oneof(word, fc.integer(), fc.boolean()), {
  minKeys: 1,
  maxKeys: 2,
});
const part = fc.oneof(
  fc.record({ text: word }),
  fc.record({ text: word, mediaType: fc.constant("text/markdown") }, { requiredKeys: ["text"] }),
  fc.record({ data: fc.record({ key: word }) }),
  fc.record({ raw: fc.constant("AAEC"), filename: id, mediaType: fc.constant("image/png") }),
);
const message: fc.Arbitrary<Message> = fc.record(
  {
    messageId: id,
    role: fc.constant("ROLE_USER" as const),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    contextId: id,
    taskId: id,
    referenceTaskIds: fc.array(id, { minLength: 1, maxLength: 2 }),
    extensions: fc.array(
      id.map((name) => `https://${name}.example/`),
      { minLength: 1, maxLength: 2 },
    ),
    metadata,
  },
  { requiredKeys: ["messageId", "role", "parts"] },
);
const request: fc.Arbitrary<SendMessageRequest> = fc.record(
  { message, tenant: id, metadata },
  { requiredKeys: ["message"] },
);
const event: fc.Arbitrary<StreamResponse> = fc.oneof(
  fc.record({
    statusUpdate: fc.record(
      {
        taskId: id,
        contextId: id,
        status: fc.constant({ state: "TASK_STATE_WORKING" as const }),
        metadata,
      },
      { requiredKeys: ["taskId", "contextId", "status"] },
    ),
  }),
  fc.record({
    artifactUpdate: fc.record(
      {
        taskId: id,
        contextId: id,
        artifact: fc.record({
          artifactId: id,
          parts: fc.array(part, { minLength: 1, maxLength: 2 }),
        }),
        append: fc.boolean(),
      },
      { requiredKeys: ["taskId", "contextId", "artifact"] },
    ),
  }),
);

const spellings: Readonly<Record<Column, "1.0" | "0.3" | "0.1">> = {
  "1.0": "1.0",
  "0.3": "0.3",
  "0.1": "0.1",
  REST: "1.0",
  gRPC: "1.0",
};

function sent(given: SendMessageRequest): ReadRequest {
  return { operation: "sendStreamingMessage", dialect: "1.0", id: 7, request: given };
}

describe("translations", () => {
  it("mark of a request exactly what does not survive encoding and decoding", () => {
    fc.assert(
      fc.property(request, fc.constantFrom(...columns), (given, column) => {
        const { document, lost, losses, reasons } = translateRequest(sent(given), column);
        const codec = codecs[spellings[column]];
        const params = codec.encodeRequest.sendStreamingMessage(given);
        const back = codec.decodeRequest.sendStreamingMessage(params, new Cursor());
        // What is not marked has come back as it was; what is marked has not.
        expect(
          findLosses(withoutLosses(given as unknown as JsonValue, losses), json(back)),
        ).toEqual([]);
        for (const { path, value } of losses) expect(at(json(back), path)).not.toEqual(value);
        expect(reasons.length > 0).toBe(losses.length > 0);
        expect(lost.size).toBeLessThanOrEqual(losses.length);
        expect(lost.size > 0).toBe(losses.length > 0);
        if (losses.length === 0 && column === "gRPC") expect(document).toEqual(json(params));
      }),
      { numRuns: 300 },
    );
  });

  it("mark of an event exactly what does not survive encoding and decoding", () => {
    fc.assert(
      fc.property(event, fc.constantFrom(...columns), (given, column) => {
        const read = sent({
          message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] },
        });
        const { losses } = translateAnswer({ kind: "event", event: given }, read, column);
        const codec = codecs[spellings[column]];
        const [encoded] = codec.encodeEvent(given, { artifactIndex: () => 0 });
        const back = json(codec.decodeEvent(encoded, new Cursor(), {}));
        expect(findLosses(withoutLosses(json(given), losses), back)).toEqual([]);
        for (const { path, value } of losses) expect(at(back, path)).not.toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it("lose nothing in the version that was spoken", () => {
    fc.assert(
      fc.property(request, (given) => {
        expect(translateRequest(sent(given), "1.0").losses).toEqual([]);
      }),
    );
  });

  it("put what is lost where it would be, and say why", () => {
    const given: SendMessageRequest = {
      message: {
        messageId: "b41e",
        role: "ROLE_USER",
        parts: [{ text: "Yes" }],
        extensions: ["https://e.example/"],
      },
    };
    const { document, lost, reasons } = translateRequest(sent(given), "0.1");
    expect(document).toMatchObject({ params: { message: { messageId: "b41e" } } });
    expect([...lost].sort()).toEqual(["/params/message/extensions", "/params/message/messageId"]);
    expect(reasons).toContain("0.1 does not name messages.");
    expect(reasons).toContain("0.1 has no extensions.");
  });

  it("say it where a version has no such operation", () => {
    const read: ReadRequest = { operation: "listTasks", dialect: "1.0", id: 1, request: {} };
    const { document, reasons } = translateRequest(read, "0.1");
    expect(document).toBeUndefined();
    expect(reasons[0]).toContain("listTasks");
  });
});

describe("hops", () => {
  const base: Hop = {
    id: 1,
    direction: "sent",
    method: "POST",
    url: "https://agent.example/a2a",
    requestHeaders: [],
    frames: [],
    timing: { startedAt: 0 },
  };

  it("are read in the dialect in which they were sent", () => {
    const hop: Hop = {
      ...base,
      requestBody:
        '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"hi"}]}}}',
      responseBody:
        '{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"}}}',
    };
    const read = readRequest(hop);
    expect(read).toMatchObject({ operation: "sendMessage", dialect: "0.3" });
    const answer = readResponse(hop, read);
    expect(answer).toMatchObject({ kind: "result", result: { task: { id: "t" } } });
    expect(translateAnswer(answer, read, "REST").document).toMatchObject({
      task: { id: "t", status: { state: "TASK_STATE_COMPLETED" } } satisfies Partial<Task>,
    });
  });

  it("are read below any path over HTTP+JSON", () => {
    const read = readRequest({
      ...base,
      binding: "HTTP+JSON",
      method: "GET",
      url: "https://agent.example/deep/v1/tasks/t7?historyLength=2",
      requestHeaders: [["A2A-Version", "0.3"]],
    });
    expect(read).toMatchObject({ operation: "getTask", request: { id: "t7", historyLength: 2 } });
  });

  it("have frames that are described without a codec, in any dialect", () => {
    const frame = { at: 0, kind: "event", bytes: 1 } as const;
    const said = { artifact: { artifactId: "a", parts: [{ text: "Booked" }] } };
    expect(
      describeFrame({ ...frame, data: JSON.stringify({ result: { artifactUpdate: said } }) }),
    ).toEqual({
      what: "artifactUpdate",
      detail: "“Booked”",
    });
    const old = { result: { kind: "status-update", status: { state: "working" } } };
    expect(describeFrame({ ...frame, data: JSON.stringify(old) })).toEqual({
      what: "statusUpdate",
      detail: "working",
    });
    expect(describeFrame({ ...frame, kind: "comment", data: "" }).what).toBe("heartbeat");
    expect(
      readFrame(
        { ...frame, kind: "comment", data: "" },
        sent({ message: { messageId: "m", role: "ROLE_USER", parts: [] } }),
      ),
    ).toBeUndefined();
  });
});

function json(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

function at(value: JsonValue | undefined, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}
