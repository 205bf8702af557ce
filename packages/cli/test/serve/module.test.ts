import { rename, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { connect } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import { readLog } from "../../../a2a/test/support/read-log.js";
import { openFolder } from "../../../a2a/test/support/files/open-folder.js";
import type { Folder } from "../../../a2a/test/support/files/open-folder.js";
import { openCliServer } from "../../../a2a/test/support/servers/open-cli-server.js";

/** Writes files into a folder that has no packages and no settings of its own. */
async function write(folder: Folder, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(folder.file(name), text);
}

/** An agent in two files of TypeScript, with what cannot be had by leaving out types. */
const greeter = {
  "agent.ts": `
    import { agent, type RunContext } from "@parley/a2a";
    import { greeting } from "./greeting.js";
    enum Mark { Bang = "!" }
    class Greeter {
      constructor(private readonly word: string) {}
      greet(name: string): string { return this.word + " " + name + Mark.Bang; }
    }
    export default agent({
      name: "Greeter",
      description: "Greets",
      run: ({ text }: RunContext) => new Greeter(greeting).greet(text),
    });
    export const other = { name: "Other", description: "Says no", run: () => "no" as const };
  `,
  "greeting.ts": `export const greeting: string = "Hello";`,
};

describe("a module", () => {
  it("may be TypeScript with imports, and may export several agents", async () => {
    await using folder = await openFolder();
    await write(folder, greeter);
    await using server = await openCliServer("memory:", folder.file("agent.ts"));
    const agent = await connect(server.url);
    expect(agent.card.name).toBe("Greeter");
    expect(await agent.text("Ada")).toBe("Hello Ada!");
    expect(await (await connect(`${server.url}/other`)).text("?")).toBe("no");
    expect(server.stdout()).toContain(`Card: ${server.url}/other/.well-known/agent-card.json\n`);
    await expect
      .poll(() => readLog(server.stderr()).filter(({ event }) => event === "run.ended"))
      .toMatchObject([
        { agent: "Greeter", outcome: "replied" },
        { agent: "Other", outcome: "replied" },
      ]);
    expect(await server.stop("SIGINT")).toBe(0);
  });

  it.each<[string, string, RegExp]>([
    ["does not parse", "export default {", /agent\.ts:1:16: ERROR: /],
    ["throws", "const a = 1;\nthrow new Error('no key');", /: no key \(at .*agent\.ts:2:\d+\)/],
  ])("that %s is not served, and the error says where", async (_, source, problem) => {
    await using folder = await openFolder();
    await write(folder, { "agent.ts": source });
    const opening = openCliServer("memory:", folder.file("agent.ts"));
    await expect(opening).rejects.toThrow(problem);
  });
});

describe("--watch", () => {
  const travel = (question: string): string => `
    import { agent, textOf } from "@parley/a2a";
    import { word } from "./word.js";
    export default agent({
      name: "Travel",
      description: "Books",
      async *run({ ask }) {
        const when = textOf(await ask("${question}", { name: "when" }));
        yield word + " " + when;
      },
    });`;

  it("starts again when a file changes, at the same port, and tasks that wait go on", async () => {
    await using folder = await openFolder();
    await write(folder, { "agent.ts": travel("When?"), "word.ts": `export const word = "Old";` });
    const args = [folder.file("agent.ts"), "--watch"];
    await using server = await openCliServer(folder.file(), ...args);
    const cards = (): number => server.stdout().match(/^Card: /gm)?.length ?? 0;
    const agent = await connect(server.url);
    const { task } = (await agent.send("A trip")) as { task: Task };
    expect(task.status.state).toBe("TASK_STATE_INPUT_REQUIRED");

    // A file that the module imports, replaced as editors do it.
    await write(folder, { "word.ts~": `export const word = "Booked for";` });
    await rename(folder.file("word.ts~"), folder.file("word.ts"));
    await expect.poll(cards).toBe(2);
    expect(await agent.text("May", { taskId: task.id })).toBe("Booked for May");

    // A mistake: the server waits until it is mended.
    await write(folder, { "agent.ts": "export default {" });
    await expect.poll(() => server.stderr()).toContain("Waiting for a change");
    await write(folder, { "agent.ts": travel("On which day?") });
    await expect.poll(cards).toBe(3);
    expect(await agent.send("A trip")).toMatchObject({
      task: { status: { message: { parts: [{ text: "On which day?" }] } } },
    });
    expect(await server.stop("SIGTERM")).toBe(0);
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it("does not wait for a change where the command line is wrong", async () => {
    const opening = openCliServer("memory:", "/there/is/none.ts", "--watch");
    await expect(opening).rejects.toThrow("there is no module /there/is/none.ts");
  });
});
