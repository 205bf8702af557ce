import { expect, it } from "vitest";
import { sniffRestBody } from "./sniff-rest-body.js";

const text = { kind: "text", text: "a" };

it.each([
  ["no body", undefined, "0.3-proto"],
  ["null", null, "0.3-proto"],
  ["an array", [], "0.3-proto"],
  ["nothing", {}, "0.3-proto"],
  ["request for message", { request: { role: "user", parts: [text] } }, "0.3-proto"],
  ["content for parts", { message: { role: "user", content: [text] } }, "0.3-proto"],
  ["the role of the proto", { message: { role: "ROLE_USER", parts: [text] } }, "0.3-proto"],
  ["the number of a role", { message: { role: 1, parts: [text] } }, "0.3-proto"],
  ["the role user", { message: { role: "user", parts: [{ text: "a" }] } }, "0.3-schema"],
  ["the role agent", { message: { role: "agent" } }, "0.3-schema"],
  ["parts with kind", { message: { parts: [{ text: "a" }, text] } }, "0.3-schema"],
  ["parts with type", { message: { parts: [{ type: "text" }] } }, "0.3-schema"],
  ["bare parts", { message: { parts: [{ text: "a" }, null] } }, "0.3-proto"],
  ["parts that are no list", { message: { parts: "a" } }, "0.3-proto"],
  ["an unknown role", { message: { role: "system", parts: [text] } }, "0.3-schema"],
  ["a message that is no object", { message: "a" }, "0.3-proto"],
  ["a push configuration", { pushNotificationConfig: { url: "https://a.example" } }, "0.3-proto"],
])("takes a body with %s as %3$s", (_, body, expected) => {
  expect(sniffRestBody(body)).toBe(expected);
});
