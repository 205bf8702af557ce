import { describe, expect, it } from "vitest";
import { A2AError, createService } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import { bareCard } from "./bare-card.js";

describe("connect()", () => {
  it.each<[unknown, string]>([
    [undefined, "nothing"],
    [null, "null"],
    [42, "a number"],
    [[], "an array"],
    ["not a url", '"not a url"'],
    ["", '""'],
    ["ftp://a.example", '"ftp://a.example"'],
  ])("says what it takes when it is given %j", async (reference, found) => {
    await expect(connect(reference as string)).rejects.toMatchObject({
      name: "A2AError",
      code: "INVALID_PARAMS",
      message: `connect() takes an HTTP URL, a host or an agent card, but got ${found}`,
    });
  });
});

describe("a message", () => {
  it.each<[unknown, string]>([
    [undefined, "nothing"],
    [null, "null"],
    [42, "a number"],
    [["hi", true], "a boolean"],
    [["hi", undefined], "nothing"],
    [new Uint8Array([1, 2]), "bytes: give { bytes, mediaType }"],
    [["hi", Buffer.from("hi")], "bytes: give { bytes, mediaType }"],
  ])("says what it takes when it is given %j, and is not sent", async (content, found) => {
    const sent: string[] = [];
    const refuse = (operation: string): never => {
      sent.push(operation);
      throw new A2AError("INTERNAL", "sent");
    };
    const agent = await connect(bareCard("test:", "TEST"), {
      transports: { TEST: () => createService(async (operation) => refuse(operation), refuse) },
    });
    const expected = {
      name: "A2AError",
      code: "INVALID_PARAMS",
      message: `a message takes text, parts, files or a list of these, but got ${found}`,
    };
    const given = content as string;
    await expect(agent.send(given)).rejects.toMatchObject(expected);
    await expect(agent.text(given)).rejects.toMatchObject(expected);
    await expect(agent.start(given)).rejects.toMatchObject(expected);
    await expect(agent.stream(given).next()).rejects.toMatchObject(expected);
    expect(sent).toEqual([]);
  });
});
