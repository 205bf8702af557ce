import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { connect } from "@parley/a2a";
import { describePage } from "./describe-page.js";

const root = new URL("../../../../", import.meta.url);
const readRoot = (path: string): string => readFileSync(new URL(path, root), "utf8");

describePage("README.md", (code) => {
  it("its client gets an answer and a stream from its ten-line agent", async () => {
    await using running = await code().run("echo", [4100]);
    const peers = { "127.0.0.1:4100": running.portFor(4100) };
    expect(await code().outputOf("call", { peers })).toBe(
      "You said: hello\n[ { text: 'You said: hello again' } ]\n",
    );
  });

  it("its server of several agents counts down, and asks where to fly to", async () => {
    await using running = await code().run("several", [4100]);
    const url = `http://127.0.0.1:${running.portFor(4100)}`;
    const countdown = await connect(`${url}/countdown`);
    expect(await countdown.text("2")).toBe("2 1 Liftoff!");
    const travel = await connect(`${url}/travel`);
    const answers = ["Tokyo", "Monday"];
    const { task } = await travel.send("hi", { onInputRequired: () => answers.shift() });
    expect(task?.artifacts?.[0]?.parts).toMatchObject([{ data: { to: "Tokyo", on: "Monday" } }]);
  });
});

it.each(["countdown", "travel"])("%s in the README is the example of that name", (name) => {
  const block = readRoot("README.md").split(`\`\`\`ts\n// ${name}.ts\n`)[1]?.split("```")[0];
  expect(block).toBe(readRoot(`examples/${name}.ts`));
});

it.each(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"])(
  "%s links only to files that exist",
  (page) => {
    const links = Array.from(
      readRoot(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g),
      ([, to]) => to,
    );
    const missing = links.filter((to) => !existsSync(fileURLToPath(new URL(to ?? "", root))));
    expect(missing).toEqual([]);
  },
);

it("ARCHITECTURE names only files and folders of the library that exist", () => {
  const rows = readRoot("ARCHITECTURE.md").split("\n");
  const start = rows.findIndex((row) => row.startsWith("| to change"));
  const table = rows
    .slice(start + 2, rows.indexOf("", start))
    .map((row) => row.split("|")[2] ?? "");
  const names = table.flatMap((cell) =>
    Array.from(cell.matchAll(/`([a-z][\w.-]*\/[^`]+)`/g), ([, to = ""]) => to),
  );
  expect(names.length).toBeGreaterThan(12);
  const exists = (path: string): boolean => existsSync(fileURLToPath(new URL(path, root)));
  const missing = names.filter((name) => {
    const path = name.startsWith("packages/") ? name : `packages/a2a/src/${name}`;
    return !exists(path) && !exists(`${path}.ts`);
  });
  expect(missing).toEqual([]);
});
