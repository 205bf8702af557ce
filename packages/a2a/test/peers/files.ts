import { createHash, randomBytes } from "node:crypto";
import type { SentPart } from "./told.js";

/** The files that are sent and have to come back. */
export const files: readonly SentPart[] = [
  { bytes: randomBytes(48).toString("base64"), mediaType: "image/png", name: "noise.png" },
  {
    bytes: Buffer.from("plain text, ümläut").toString("base64"),
    mediaType: "text/plain",
    name: "words.txt",
  },
  // Bytes that look like base64 themselves.
  {
    bytes: Buffer.from("aGVsbG8gd29ybGQh").toString("base64"),
    mediaType: "text/plain",
    name: "base64.txt",
  },
  {
    url: "https://files.example.com/a%20b.pdf?x=1&y=2",
    mediaType: "application/pdf",
    name: "a b.pdf",
  },
];

/** What the agent says of the files that arrived. */
export const described = files
  .map((file) => {
    if (!("name" in file)) return "";
    const content =
      "url" in file
        ? file.url
        : createHash("sha256").update(Buffer.from(file.bytes, "base64")).digest("hex");
    return `${file.name} ${file.mediaType} ${content}`;
  })
  .join("\n");
