import { describe, expect, it } from "vitest";
import { operations } from "../../src/protocol/internal.js";
import type { AgentCard, ProtocolOperation } from "../../src/protocol/internal.js";
import { buildRestRequest } from "../../src/wire/rest/build-rest-request.js";
import { cardFormFor } from "../../src/wire/card-forms.js";
import { codecs } from "../../src/wire/codecs.js";
import { decodeAgentCard } from "../../src/wire/decode-agent-card.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { discoveryPaths, isDiscoveryPath } from "../../src/wire/card/discovery-path.js";
import { verifies } from "../spec/verifies.js";
import { detectMethod, detectPath, readRequest, refusal } from "./read.js";

describe("C1 send and stream names", () => {
  it.each<[string, ProtocolOperation, Dialect]>([
    ["tasks/send", "sendMessage", "0.1"],
    ["tasks/sendSubscribe", "sendStreamingMessage", "0.1"],
    ["message/send", "sendMessage", "0.3"],
    ["message/stream", "sendStreamingMessage", "0.3"],
    ["SendMessage", "sendMessage", "1.0"],
    ["SendStreamingMessage", "sendStreamingMessage", "1.0"],
  ])("takes %s for %s in dialect %s", (method, operation, dialect) => {
    expect(detectMethod(method)).toEqual({ operation, dialect });
  });
});

describe("C2 card paths", () => {
  it("recognises both, and looks at agent-card.json first", () => {
    expect(discoveryPaths).toEqual(["/.well-known/agent-card.json", "/.well-known/agent.json"]);
    expect(discoveryPaths.every(isDiscoveryPath)).toBe(true);
  });

  it("gives readers of agent.json the card that 0.1 understands too", () => {
    expect(cardFormFor({ path: "agent.json", version: undefined })).toBe("blended-0.1");
    expect(cardFormFor({ path: "agent-card.json", version: undefined })).toBe("blended");
  });
});

describe("C3 extended card", () => {
  const operation = "getExtendedAgentCard";

  it.each<[string, Dialect]>([
    ["agent/authenticatedExtendedCard", "0.3"],
    ["agent/getAuthenticatedExtendedCard", "0.3"],
    ["GetExtendedAgentCard", "1.0"],
  ])("is answered to %s in dialect %s", (method, dialect) => {
    verifies("jsonrpc:extended-card-params");
    expect(detectMethod(method)).toEqual({ operation, dialect });
    expect(readRequest(dialect, operation, undefined)).toEqual({});
  });

  it.each<[string, Dialect]>([
    ["GET /agent/authenticatedExtendedCard", "0.3-schema"],
    ["GET /v1/card", "0.3-schema"],
    ["GET /extendedAgentCard", "1.0"],
  ])("is answered to %s in dialect %s", (route, dialect) => {
    expect(detectPath(route)).toMatchObject({ operation, dialect });
  });

  it("has the members of the caller's version", () => {
    const asked = (dialect: Dialect) => codecs[dialect].encodeResult[operation](dualCard, {});
    expect(asked("0.3")).toMatchObject({ protocolVersion: "0.3.0", url: "https://a.example/rpc" });
    expect(asked("0.3")).not.toHaveProperty("supportedInterfaces");
    expect(asked("0.3-schema")).toEqual(asked("0.3"));
    expect(asked("1.0")).toMatchObject({ supportedInterfaces: dualCard.supportedInterfaces });
    expect(asked("1.0")).not.toHaveProperty("url");
  });
});

describe("C7 list of webhooks", () => {
  it.each(["ListTaskPushNotificationConfig", "ListTaskPushNotificationConfigs"])(
    "is asked for as %s",
    (method) => {
      const operation = "listTaskPushNotificationConfigs";
      expect(detectMethod(method)).toEqual({ operation, dialect: "1.0" });
    },
  );
});

describe("C30 key of tasks/get", () => {
  it.each<Dialect>(["0.1", "0.1+0.3", "0.3", "0.3+type", "0.3-schema", "0.3-proto"])(
    "is any id in %s, so that a message can be looked up",
    (dialect) => {
      expect(readRequest(dialect, "getTask", { id: "msg-456" })).toEqual({ id: "msg-456" });
    },
  );

  it("leaves the dialect open until the task is found", () => {
    const params = { id: "msg-456" };
    expect(detectMethod("tasks/get", { params }).dialect).toBe("0.3");
    expect(detectMethod("tasks/get", { params, createdIn: "0.3+type" }).dialect).toBe("0.3+type");
    expect(detectMethod("tasks/get", { params, createdIn: "0.1" }).dialect).toBe("0.1+0.3");
  });
});

describe("C31 parameters of tasks/resubscribe", () => {
  it.each<[string, object]>([
    ["TaskIdParams", { id: "t1", metadata: { a: 1 } }],
    ["TaskQueryParams", { id: "t1", historyLength: 3, metadata: { a: 1 } }],
  ])("may be %s, of which the id counts", (_, params) => {
    for (const dialect of ["0.1+0.3", "0.3"] as const) {
      expect(readRequest(dialect, "subscribeToTask", params)).toEqual({ id: "t1" });
    }
  });
});

describe("C32 HTTP method of a subscription", () => {
  it.each<[string, Dialect]>([
    ["POST /v1/tasks/t1:subscribe", "0.3-proto"],
    ["GET /v1/tasks/t1:subscribe", "0.3-proto"],
    ["POST /tasks/t1:subscribe", "1.0"],
    ["GET /tasks/t1:subscribe", "1.0"],
  ])("may be that of %s", (route, dialect) => {
    verifies("rest:subscribe");
    const { params, ...detected } = detectPath(route);
    expect(detected).toEqual({ operation: "subscribeToTask", dialect });
    expect(readRequest(dialect, "subscribeToTask", params)).toEqual({ id: "t1" });
  });

  it("is POST when a client chooses", () => {
    expect(buildRestRequest("1.0", "subscribeToTask", { id: "t1" }).httpMethod).toBe("POST");
    expect(buildRestRequest("0.3-proto", "subscribeToTask", { id: "t1" }).httpMethod).toBe("POST");
  });
});

describe("C38 mandatory operations", () => {
  const names: Readonly<
    Record<ProtocolOperation, { readonly method: string; readonly route: string }>
  > = {
    sendMessage: { method: "SendMessage", route: "POST /message:send" },
    sendStreamingMessage: { method: "SendStreamingMessage", route: "POST /message:stream" },
    getTask: { method: "GetTask", route: "GET /tasks/t" },
    listTasks: { method: "ListTasks", route: "GET /tasks" },
    cancelTask: { method: "CancelTask", route: "POST /tasks/t:cancel" },
    subscribeToTask: { method: "SubscribeToTask", route: "POST /tasks/t:subscribe" },
    createTaskPushNotificationConfig: {
      method: "CreateTaskPushNotificationConfig",
      route: "POST /tasks/t/pushNotificationConfigs",
    },
    getTaskPushNotificationConfig: {
      method: "GetTaskPushNotificationConfig",
      route: "GET /tasks/t/pushNotificationConfigs/c",
    },
    listTaskPushNotificationConfigs: {
      method: "ListTaskPushNotificationConfigs",
      route: "GET /tasks/t/pushNotificationConfigs",
    },
    deleteTaskPushNotificationConfig: {
      method: "DeleteTaskPushNotificationConfig",
      route: "DELETE /tasks/t/pushNotificationConfigs/c",
    },
    getExtendedAgentCard: { method: "GetExtendedAgentCard", route: "GET /extendedAgentCard" },
  };

  it.each(operations)("include %s in JSON-RPC and in REST", (operation) => {
    verifies(
      "jsonrpc:method-names",
      "rest:send",
      "rest:stream",
      "rest:get",
      "rest:list",
      "rest:cancel",
      "rest:push",
      "rest:extended-card",
    );
    const { method, route } = names[operation];
    expect(detectMethod(method, { version: "1.0" })).toEqual({ operation, dialect: "1.0" });
    expect(detectPath(route, { version: "1.0" })).toMatchObject({ operation, dialect: "1.0" });
  });

  it.each<ProtocolOperation>([
    "listTasks",
    "listTaskPushNotificationConfigs",
    "deleteTaskPushNotificationConfig",
    "getExtendedAgentCard",
  ])("leave %s out of 0.1, which says so", (operation) => {
    const error = refusal(() => readRequest("0.1", operation, {}));
    expect(error.code).toBe("UNSUPPORTED_OPERATION");
    expect(codecs["0.1"].encodeJsonRpcError(error).code).toBe(-32004);
  });

  it.each(["tasks/forget", "GetTasks", "constructor", ""])(
    "do not include %j, which is answered in words, and by its reason in 1.0",
    (method) => {
      verifies("jsonrpc:method-not-found");
      const error = refusal(() => detectMethod(method));
      for (const dialect of ["0.1", "0.3", "1.0"] as const) {
        const { code, data } = codecs[dialect].encodeJsonRpcError(error);
        const told =
          dialect === "1.0"
            ? [expect.objectContaining({ reason: "METHOD_NOT_FOUND" })]
            : { details: error.message };
        expect({ code, data }).toEqual({ code: -32601, data: told });
      }
    },
  );
});

describe("C40 base URL", () => {
  it("is whatever the card says", () => {
    const url = "https://agent.example/a2a/v1";
    const card = decodeAgentCard({ name: "A", url, skills: [], protocolVersion: "0.3.0" });
    expect(card.supportedInterfaces).toEqual([
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ]);
  });

  it("comes before every path, also the ones that begin with v1", () => {
    const params = { id: "t1" };
    expect(buildRestRequest("0.3-schema", "getTask", params).path).toBe("/v1/tasks/t1");
    expect(buildRestRequest("1.0", "getTask", params).path).toBe("/tasks/t1");
  });
});

const dualCard: AgentCard = {
  name: "A",
  description: "d",
  version: "1",
  supportedInterfaces: [
    { url: "https://a.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: "https://a.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};
