import { expect, it } from "vitest";
import { A2AError, createService } from "../../protocol/internal.js";
import type { AgentCard, CallContext, StreamEvent } from "../../protocol/internal.js";
import { authorizedService } from "./authorized-service.js";
import type { Secrets } from "./secret.js";

const card: AgentCard = {
  name: "Travel",
  description: "Books flights",
  version: "1",
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  supportedInterfaces: [],
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  securityRequirements: [{ schemes: { bearer: {} } }],
};

const event: StreamEvent = {
  response: { task: { id: "t", status: { state: "TASK_STATE_WORKING" } } },
};

/** A service that refuses every token but the second, before or after it has said something. */
function refusing(isBegun: boolean, credentials?: Secrets) {
  const tokens: (string | undefined)[] = [];
  const service = createService(
    () => Promise.reject(new A2AError("UNAUTHENTICATED", "no")),
    async function* stream(_operation, _request, { serviceParameters }: CallContext) {
      const token = serviceParameters?.["Authorization"];
      tokens.push(token);
      if (isBegun) yield event;
      if (token !== "Bearer second") throw new A2AError("UNAUTHENTICATED", "no");
      if (!isBegun) yield event;
    },
  );
  const url = "agent.example:443";
  const origin = "https://agent.example";
  const entrusted = { card, origin, ...(credentials !== undefined && { credentials }) };
  return { tokens, service: authorizedService(service, url, entrusted) };
}

async function readAll(events: AsyncIterable<StreamEvent>): Promise<number> {
  let count = 0;
  for await (const _ of events) count += 1;
  return count;
}

const source: Secrets = {
  bearer: ({ refused }) => (refused === undefined ? "first" : "second"),
};

it("opens a stream again with another token when it was refused", async () => {
  const { service, tokens } = refusing(false, source);
  expect(await readAll(service.subscribeToTask({ id: "t" }, { version: "1.0" }))).toBe(1);
  expect(tokens).toEqual(["Bearer first", "Bearer second"]);
});

it("does not open a stream again that has begun, or with the same secret", async () => {
  const begun = refusing(true, source);
  const events = begun.service.subscribeToTask({ id: "t" }, { version: "1.0" });
  await expect(readAll(events)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(begun.tokens).toEqual(["Bearer first"]);
  const constant = refusing(false, { bearer: "first" });
  const others = constant.service.subscribeToTask({ id: "t" }, { version: "1.0" });
  await expect(readAll(others)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(constant.tokens).toEqual(["Bearer first"]);
});

it.each<[string, Secrets | undefined, string]>([
  ["no credentials", undefined, 'give connect() credentials: { "bearer": … }'],
  ["a constant one", { bearer: "first" }, 'connect() was given credentials for "bearer"'],
  ["a source of others", { bearer: () => "third" }, 'connect() was given credentials for "bearer"'],
])("says what the card requires when the agent refuses %s", async (_, credentials, help) => {
  const { service } = refusing(false, credentials);
  const message = `no; Travel requires "bearer" (HTTP Bearer); ${help}`;
  const expected = { code: "UNAUTHENTICATED", message };
  await expect(service.getTask({ id: "t" }, { version: "1.0" })).rejects.toMatchObject(expected);
  await expect(
    readAll(service.subscribeToTask({ id: "t" }, { version: "1.0" })),
  ).rejects.toMatchObject(expected);
});
