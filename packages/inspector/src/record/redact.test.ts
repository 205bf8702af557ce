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

test.each(['{"password":"two words', '{"a":1,"access_token" : "ab\\', "x=1&client_secret=hal"])(
  "removes the half of a secret that a cut has left: %s",
  (text) => expect(redactor.text(text)).toMatch(/\[redacted\]"?$/),
);

test.each(["s3cret/ke", "s3cret%2", "s3cr", "s3cret/k\uFFFD"])(
  "removes the beginning of a known secret at the end of a text that was cut: %s",
  (half) => expect(redactor.text(`{"text":"see ${half}`)).toBe('{"text":"see [redacted]'),
);

test("leaves a text that ends in no secret as it is", () => {
  const text = '{"passwords":"s3c","text":"ends in s3';
  expect(redactor.text(text)).toBe(text);
});
