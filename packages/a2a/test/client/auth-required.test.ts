import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RemoteAgent } from "@parley/a2a/client";
import type { Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { openServer } from "../support/servers/open-server.js";
import { connectOver, interfaces, readAll, statesOf } from "./open-agent.js";
import { verifies } from "../spec/verifies.js";

let server: Server;
beforeAll(async () => {
  server = await openServer({
    grpc: { port: 0 },
    agent: agent({
      name: "Careful",
      description: "Wants to be let into two places",
      async *run({ authRequired, ask }) {
        await authRequired("Let me into your calendar at https://calendar.example/");
        const where = await ask("Where to?");
        await authRequired("Let me into your account at https://bank.example/");
        yield `booked ${where.parts[0]?.text}`;
      },
    }),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const known = interfaces.filter(([, version]) => version !== "0.1");

describe.each(known)("over %s in version %s", (...way) => {
  const asked: string[] = [];
  let remote: RemoteAgent;
  beforeAll(async () => {
    const { url, grpcAddress } = server;
    remote = await connectOver(url, way, { grpcAddress, patience: { pollMs: 20 } });
  });

  it("hands each wait for authorization to the caller, between questions", async () => {
    verifies("auth:in-task-delegation");
    asked.length = 0;
    const answer = await remote.text("go", {
      onAuthRequired: (message) => {
        asked.push(message?.parts[0]?.text ?? "");
        return "done";
      },
      onInputRequired: () => "Tokyo",
    });
    expect(answer).toBe("booked Tokyo");
    expect(asked).toEqual([
      "Let me into your calendar at https://calendar.example/",
      "Let me into your account at https://bank.example/",
    ]);
  });

  it("watches on when the caller authorizes by other means", async () => {
    verifies("auth:in-task-watch");
    const { events, text } = await readAll(
      remote.stream("go", {
        // As if the place that was authorized told the agent: not by what the stream's caller says.
        onAuthRequired: async (_, { id }) => {
          await remote.send("granted", { taskId: id });
          await remote.send("Oslo", { taskId: id });
          await remote.send("granted", { taskId: id });
          return undefined;
        },
      }),
    );
    expect(text).toBe("booked Oslo");
    expect(statesOf(events).at(-1)).toBe("COMPLETED");
  });

  it("ends there when nobody handles it, and goes on with the next message", async () => {
    const { task } = await remote.send("go");
    expect(task?.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    const next = await remote.send("granted", { taskId: task?.id ?? "" });
    expect(next.task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });
});
