import { expect, it } from "vitest";
import { A2AError } from "./a2a-error.js";
import type { StreamEvent } from "./agent-service.js";
import type { CallContext } from "./call-context.js";
import { createService } from "./create-service.js";

const event: StreamEvent = {
  response: { task: { id: "t", status: { state: "TASK_STATE_WORKING" } } },
};

/** A service that notes the contexts of its calls. */
function listening(fallback?: CallContext) {
  const calls: CallContext[] = [];
  const service = createService(
    async (_operation, _request, call) => {
      calls.push(call);
      throw new A2AError("TASK_NOT_FOUND", "no");
    },
    async function* stream(_operation, _request, call: CallContext) {
      calls.push(call);
      yield event;
    },
    fallback,
  );
  return { calls, service };
}

async function callTwice({ service }: ReturnType<typeof listening>, call?: CallContext) {
  await service.getTask({ id: "t" }, call).catch(() => undefined);
  for await (const one of service.subscribeToTask({ id: "t" }, call)) expect(one).toBe(event);
}

it("gives a call without a context the anonymous one of 1.0", async () => {
  const listener = listening();
  await callTwice(listener);
  expect(listener.calls).toEqual([{ version: "1.0" }, { version: "1.0" }]);
});

it("gives a call without a context the one that its maker names", async () => {
  const fallback: CallContext = { version: "0.3", extensions: ["urn:x"] };
  const listener = listening(fallback);
  await callTwice(listener);
  expect(listener.calls).toEqual([fallback, fallback]);
});

it("passes a context on as it is", async () => {
  const call: CallContext = { version: "0.3", tenant: "acme" };
  const listener = listening({ version: "1.0" });
  await callTwice(listener, call);
  expect(listener.calls).toEqual([call, call]);
});
