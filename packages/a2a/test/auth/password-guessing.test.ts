import { request } from "node:http";
import { expect, it } from "vitest";
import { createAuthenticator, hashPassword, httpBasic } from "@parley/a2a/auth";
import { openServer } from "../support/servers/open-server.js";

/** Lists tasks with a password, from an address of this machine. */
function statusFor(port: number, from: string, [user, password]: readonly [string, string]) {
  return new Promise<number>((resolve, reject) => {
    const headers = { Authorization: `Basic ${btoa(`${user}:${password}`)}` };
    request({ port, host: "127.0.0.1", path: "/tasks", localAddress: from, agent: false, headers })
      .on("response", (answer) => resolve(answer.resume().statusCode ?? 0))
      .on("error", reject)
      .end();
  });
}

it.each([
  ["the password of a user", () => "ada"],
  ["names and passwords", (index: number) => `user${index}`],
])("who guesses %s does not keep the user out", async (_, nameOf) => {
  // Long enough that guesses pile up.
  const passwordHash = await hashPassword("right", 100_000);
  const auth = createAuthenticator({
    schemes: { basic: httpBasic({ users: [{ username: "ada", passwordHash }] }) },
  });
  await using server = await openServer({ auth });
  const guesses = Array.from({ length: 200 }, (_unused, index) =>
    statusFor(server.port, "127.0.0.2", [nameOf(index), "wrong"]),
  );
  // By then all guesses wait, or have been refused.
  const refused = await Promise.any(
    guesses.map(async (one) => ((await one) === 429 ? 429 : Promise.reject(new Error("a guess")))),
  );
  expect(refused).toBe(429);
  expect(await statusFor(server.port, "127.0.0.1", ["ada", "right"])).toBe(200);
  const statuses = new Set(await Promise.all(guesses));
  expect(statuses).toEqual(new Set([401, 429]));
});
