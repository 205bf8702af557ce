import { expect, it } from "vitest";
import { parseUrl } from "./parse-url.js";

it("parses a URL whose host is beyond ASCII, however often others were parsed before", () => {
  for (let count = 0; count < 100_000; count += 1) parseUrl(`https://hook.example/${count % 7}`);
  expect(parseUrl("https://bücher.example/path")?.href).toBe("https://xn--bcher-kva.example/path");
});

it.each(["", "hook.example", "/path", "null", "https://", "https://a b/"])(
  "gives nothing for %j, which is not an absolute URL",
  (text) => {
    expect(parseUrl(text)).toBeUndefined();
  },
);
