import { expect, test } from "vitest";
import { createRedactor } from "./redact.js";

const redactor = createRedactor(["s3cret/key"]);

test("removes known secrets wherever they are, also in a URL", () => {
  expect(redactor.text("https://a.example/?k=s3cret%2Fkey and s3cret/key")).toBe(
    "https://a.example/?k=[redacted] and [redacted]",
  );
  expect(redactor.header("X-Any", "s3cret/key")).toBe("[redacted]");
});

test.each(["Authorization", "Cookie", "set-cookie", "X-API-Key", "A2A-Notification-Token"])(
  "removes the value of the header %s",
  (name) => expect(redactor.header(name, "anything")).toBe("[redacted]"),
);

test("removes members of documents and of forms that are secret by their names", () => {
  const text = '{"access_token":"a\\"b","token":"t","text":"access_token"} client_secret=x&scope=y';
  expect(redactor.text(text)).toBe(
    '{"access_token":"[redacted]","token":"[redacted]","text":"access_token"} client_secret=[redacted]&scope=y',
  );
});
