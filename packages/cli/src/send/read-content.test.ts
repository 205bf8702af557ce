import { expect, test } from "vitest";
import type { GivenOption } from "../options/read-options.js";
import { parseMetadata, readContent } from "./read-content.js";

const read = (text: string | undefined, ...given: GivenOption[]) =>
  readContent(text, given, "parley help send");

test("a media type belongs to the part before it, the text of the command line included", async () => {
  const typed = { name: "media-type", value: "text/markdown" } as const;
  expect(await read("# Hi", typed)).toEqual([{ text: "# Hi", mediaType: "text/markdown" }]);
  const misplaced = /--media-type says what the part before it is/;
  await expect(read(undefined, typed, { name: "text", value: "a" })).rejects.toThrow(misplaced);
  await expect(read("a", typed, typed)).rejects.toThrow(misplaced);
});

test.each<[string, GivenOption[], RegExp]>([
  ["nothing", [], /there is nothing to send/],
  [
    "a file that is not there",
    [{ name: "file", value: "/none/at/all" }],
    /--file: cannot read \/none\/at\/all/,
  ],
  [
    "data that is no JSON",
    [{ name: "data", value: import.meta.filename }],
    /--data: .* holds no JSON/,
  ],
])("%s is an error of usage", async (_, given, message) => {
  await expect(read(undefined, ...given)).rejects.toThrow(message);
});

test.each(["", "{", "[]", "null", "1"])("metadata has to be an object, not %j", (text) => {
  expect(() => parseMetadata(text, "")).toThrow("--metadata must be a JSON object");
});
