import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { casesOf } from "./case.js";
import { complaintsOf } from "./complaints.js";
import { knownFailures } from "./known-failures.js";
import type { KnownFailure } from "./known-failures.js";
import { operations } from "./operations.js";
import { writePage } from "./page.js";
import { directions, peers } from "./peers.js";
import type { Peer } from "./peers.js";

const pinned = new URL("python/", import.meta.url);

const some: readonly Peer[] = [
  {
    id: "go-2",
    title: "Go",
    tool: "go",
    interfaces: [{ binding: "GRPC", version: "1.0", clientLacks: ["list"] }],
  },
];

const known: KnownFailure = {
  peers: ["go-2"],
  direction: "their client",
  operations: ["files"],
  fault: "theirs",
  because: "It loses files.",
};

/** The cells of the rows of an SDK, one list for each direction. */
const rowsOf = (page: string, title: string): readonly (readonly string[])[] =>
  page
    .split("\n")
    .filter((line) => line.startsWith(`| ${title} `))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map((cells) => cells.slice(4, -1));

it("is the page that the lists of peers, operations and known failures give", async () => {
  const page = await readFile(new URL("../../../../docs/interop.md", import.meta.url), "utf8");
  expect(page, "run `npm run interop`, which writes docs/interop.md").toBe(await writePage());
});

it("has a row for every interface of every SDK, and a cell for every operation", async () => {
  const page = await writePage();
  for (const peer of peers) {
    const rows = rowsOf(page, peer.title);
    expect(rows).toHaveLength(peer.interfaces.length * directions.length);
    for (const row of rows) expect(row).toHaveLength(operations.length);
  }
});

it("tells what passes, what fails and why, and what is not offered", async () => {
  const page = await writePage(some, [known]);
  const [theirs, ours] = rowsOf(page, "Go");
  const cellOf = (row: readonly string[] | undefined, name: string): string | undefined =>
    row?.[operations.findIndex((operation) => operation === name)];
  expect(cellOf(theirs, "send")).toBe("✓");
  expect(cellOf(theirs, "files")).toBe("✗ 1");
  expect(cellOf(theirs, "list")).toBe("–");
  expect(cellOf(ours, "files")).toBe("✓");
  expect(cellOf(ours, "list")).toBe("✓");
  expect(page).toContain("1. **theirs**: It loses files.");
});

it("explains with every known failure some case", () => {
  expect(complaintsOf([], knownFailures, casesOf())).toEqual([]);
});

it("names the versions that are installed", async () => {
  for (const { id, title, tool } of peers) {
    const version = title.split(" ").at(-1);
    const file =
      tool === "go"
        ? new URL("../go/go.mod", pinned)
        : new URL(`requirements-${id.replace("python-", "")}.txt`, pinned);
    const text = await readFile(file, "utf8");
    expect(text).toMatch(tool === "go" ? `a2a-go/v2 v${version}` : `a2a-sdk==${version}\n`);
  }
});
