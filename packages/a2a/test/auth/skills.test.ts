import { expect, test } from "vitest";
import type { SendMessageRequest } from "@parley/a2a";
import {
  apiKey,
  createAuthenticator,
  createKey,
  meetsRequirements,
  requireSkills,
} from "@parley/a2a/auth";
import { agent } from "@parley/a2a/server";
import { rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const skills = [
  { name: "Look", id: "look" },
  { name: "Book", id: "book" },
];

async function open() {
  const [reader, writer] = [await createKey(), await createKey()];
  const keys = [
    { subject: "reader", hash: reader.hash },
    { subject: "writer", hash: writer.hash, scopes: ["trips:write"] },
  ];
  const auth = createAuthenticator({
    schemes: { key: apiKey({ in: "header", name: "X-API-Key", keys }) },
    skills: { book: [{ key: ["trips:write"] }] },
  });
  return { auth, reader: reader.key, writer: writer.key };
}

test("who knows which skill a message asks for can have its requirements enforced", async () => {
  const { auth, reader, writer } = await open();
  const travel = agent({ name: "Travel", description: "Travels", skills, run: () => "done" });
  const skillOf = ({ message }: SendMessageRequest) => message.metadata?.["skill"] as string;
  await using server = await openServer({
    agent: travel,
    auth,
    skillOf,
    authorize: requireSkills(auth.declareIn(travel.card([]))),
  });
  const ask = async (key: string, skill: string) => {
    const params = say("please", { metadata: { skill } });
    const { status } = await send(
      server.url,
      "POST /",
      rpc("SendMessage", params, { "X-API-Key": key }),
    );
    return status;
  };
  expect(await ask(reader, "look")).toBe(200);
  expect(await ask(reader, "book")).toBe(403);
  expect(await ask(writer, "book")).toBe(200);
});

test("a handler that finds out which skill is meant can ask for them, also of a caller of long ago", async () => {
  const { auth, reader, writer } = await open();
  const travel = agent({
    name: "Travel",
    description: "Travels",
    skills,
    durable: true,
    async run({ ask, caller }) {
      await ask("Shall I book it?");
      const book = auth.declareIn(travel.card([])).skills.find(({ id }) => id === "book");
      return meetsRequirements(caller, book?.securityRequirements) ? "booked" : "you may not book";
    },
  });
  await using server = await openServer({ agent: travel, auth });
  const book = async (key: string) => {
    const headers = { "X-API-Key": key };
    const first = await send(server.url, "POST /", rpc("SendMessage", say("flight"), headers));
    const { id: taskId } = JSON.parse(first.text).result.task;
    const answer = await send(
      server.url,
      "POST /",
      rpc("SendMessage", say("yes", { taskId }), headers),
    );
    return answer.text;
  };
  expect(await book(reader)).toContain("you may not book");
  expect(await book(writer)).toContain(`"booked"`);
});
