import { expect, it } from "vitest";
import { createKey } from "@parley/a2a/auth";
import { readCallers } from "./callers.js";

const none = { key: [], auth: undefined, audience: [] };

it("anyone may call where nothing is asked for", async () => {
  const { auth, description } = await readCallers(none, undefined);
  expect([auth, description]).toEqual([undefined, expect.stringMatching(/^no authentication/)]);
});

it("keys are known by their hashes, with their owners", async () => {
  const { key, hash } = await createKey();
  const { auth, description } = await readCallers(
    { ...none, key: [`ada:${hash}`] },
    "k".repeat(20),
  );
  const show = (shown: string) =>
    auth?.authenticate({
      header: (name) => (name === "x-api-key" ? shown : undefined),
      query: () => undefined,
      cookie: () => undefined,
    });
  expect(await show(key)).toMatchObject({ subject: "key#ada" });
  expect(await show("k".repeat(20))).toMatchObject({ subject: "key#demo" });
  await expect(show("other")).rejects.toThrow();
  expect(description).toContain("the key of PARLEY_API_KEY in X-API-Key, or a key in X-API-Key");
});

it("a provider of tokens needs an audience", async () => {
  const auth = "https://id.example";
  await expect(readCallers({ ...none, auth }, undefined)).rejects.toThrow(
    "--auth needs --audience",
  );
  await expect(readCallers({ ...none, audience: ["a"] }, undefined)).rejects.toThrow(
    "needs --auth",
  );
  const plain = { ...none, auth: "http://id.example", audience: ["a"] };
  await expect(readCallers(plain, undefined)).rejects.toThrow("is not an https URL");
  const both = await readCallers({ ...none, auth, audience: ["a"] }, undefined);
  expect(both.description).toBe("those who show a token of https://id.example");
});

it("what is no pair of name and hash may be a key, and is not shown", async () => {
  const given = { ...none, key: ["hush-hush"] };
  const error = await readCallers(given, undefined).catch((thrown: Error) => thrown.message);
  expect(error).toContain("--key, number 1, must be NAME:HASH");
  expect(error).not.toContain("hush");
});
