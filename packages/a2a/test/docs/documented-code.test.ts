import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { openFolder } from "../support/files/open-folder.js";
import { openCode } from "./documented-code.js";

const fence = (code: string): string => `\`\`\`ts\n${code}\n\`\`\`\n`;

/** The code of a page that has these blocks. */
async function openPage(...blocks: readonly string[]) {
  const folder = await openFolder();
  await writeFile(folder.file("page.md"), blocks.map(fence).join("\nAnd then:\n\n"));
  const code = await openCode(folder.file("page.md"));
  return {
    code,
    async [Symbol.asyncDispose]() {
      await code[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

it("a block sees what those before it import and declare, and may declare it again", async () => {
  await using page = await openPage(
    'import { basename as nameOf } from "node:path";\n\nconst { a, b: [c = 2] } = { a: 1, b: [] };',
    "interface Sum { readonly sum: number }\nlet a = 5;\nconst total: Sum = { sum: a + c };",
    'console.log(nameOf("/x/y"), a, total.sum);',
  );
  expect(page.code.complaints).toBe("");
  await using running = await page.code.runBlocks();
  await expect.poll(() => running.stdout()).toBe("y 5 7\n");
  expect(page.code.notRun).toEqual([]);
});

it("a name that the page does not say is a complaint, at the line of its block", async () => {
  await using page = await openPage("const a = 1;", "console.log(a);\nconsole.log(b);");
  expect(page.code.complaints).toMatch(/^line-8\.ts\(2,13\): error TS2304: Cannot find name 'b'/);
});

it("what strict refuses is a complaint", async () => {
  await using page = await openPage("export const key: string = process.env.KEY;");
  expect(page.code.complaints).toContain("TS2322");
});

it("a file that nobody runs, or that fails on its way, has not run", async () => {
  await using page = await openPage(
    '// one.ts\nimport { b } from "./two.js";\nconsole.log(b);',
    "// two.ts\nexport const b = 1;",
    "// three.ts\nexport const c = 1;",
    '// four.ts\nthrow new Error("no");',
  );
  expect(await page.code.outputOf("one")).toBe("1\n");
  await expect(page.code.outputOf("four")).rejects.toThrow("Error: no");
  expect(page.code.notRun).toEqual(["three", "four"]);
});

it("a host that the test does not serve is not reached", async () => {
  await using page = await openPage('await fetch("https://agents.example.org");');
  await expect(page.code.runBlocks()).rejects.toThrow(
    "no server of the test is agents.example.org",
  );
});
