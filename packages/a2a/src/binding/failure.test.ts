import { expect, it, vi } from "vitest";
import { A2AError } from "../protocol/internal.js";
import type { Authenticator } from "../protocol/internal.js";
import { failureOf } from "./failure.js";
import type { MountedAgent } from "./mount.js";

function agentWith(...challenges: readonly string[]): MountedAgent {
  return { auth: { challenges } as Partial<Authenticator> } as MountedAgent;
}

const options = { reportFailure: () => expect.fail("nothing is reported") };

it("adds the challenges of all agents that may be meant to an error that has none", () => {
  const unknown = new A2AError("UNAUTHENTICATED", "who are you?");
  const agents = [agentWith("Bearer"), {} as MountedAgent, agentWith("ApiKey")];
  const failure = failureOf(unknown, agents, options);
  expect(failure).toMatchObject({
    code: "UNAUTHENTICATED",
    message: "who are you?",
    details: { challenges: ["Bearer", "ApiKey"] },
  });
});

it("adds the challenges that name the scopes a caller lacks", () => {
  const lacking = new A2AError("PERMISSION_DENIED", "no", {
    details: { requiredScopes: ["a", "b"] },
  });
  const auth = {
    challenges: ["Bearer"],
    challengesFor: (scopes: readonly string[]) => [`Bearer scope="${scopes.join(" ")}"`],
  } as Partial<Authenticator>;
  const agents = [{ auth } as MountedAgent, agentWith("ApiKey"), {} as MountedAgent];
  const { details } = failureOf(lacking, agents, options);
  expect(details.challenges).toEqual(['Bearer scope="a b"']);
});

it.each([
  new A2AError("UNAUTHENTICATED", "who?", { details: { challenges: ["Basic"] } }),
  new A2AError("PERMISSION_DENIED", "no"),
])("leaves an error as it is that has challenges or needs none: %s", (error) => {
  expect(failureOf(error, [agentWith("Bearer")], options)).toBe(error);
});

it("reports the cause of an internal error, which the caller is not told", () => {
  const reportFailure = vi.fn<(error: unknown) => void>();
  const cause = new TypeError("secret");
  const failure = failureOf(cause, [], { reportFailure });
  expect(failure).toMatchObject({ code: "INTERNAL", message: "Internal error" });
  expect(reportFailure.mock.calls).toEqual([[cause]]);
});
