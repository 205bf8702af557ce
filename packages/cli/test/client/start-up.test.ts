import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { parley } from "./parley.js";
import { openScriptedAgent, taskIn } from "./scripted-agent.js";

/** The modules that a command loads, by their URLs. */
async function modulesOf(args: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-modules-"));
  const list = join(folder, "modules.txt");
  const hooks =
    'import { appendFileSync } from "node:fs";\n' +
    `export async function load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); }`;
  await writeFile(join(folder, "hooks.mjs"), hooks);
  const register = `import { register } from "node:module"; register("./hooks.mjs", import.meta.url);`;
  await writeFile(join(folder, "register.mjs"), register);
  const url = pathToFileURL(join(folder, "register.mjs")).href;
  const ran = await parley(args, { env: { NODE_OPTIONS: `--import ${url}` } });
  expect(ran.code, ran.stderr).toBe(0);
  return (await readFile(list, "utf8")).trim().split("\n");
}

it("the version is shown without the library, and a message sent without servers, stores and gRPC", async () => {
  await using agent = await openScriptedAgent({ answer: () => ({ task: taskIn("COMPLETED") }) });
  const [version, send] = await Promise.all([
    modulesOf(["--version"]),
    modulesOf(["send", "-a", agent.url, "hi"]),
  ]);
  expect(version.filter((url) => /\/packages\/a2a\/|node_modules/.test(url))).toEqual([]);
  expect(version.filter((url) => url.includes("/packages/cli/")).length).toBeLessThan(8);
  const needless =
    /\/a2a\/dist\/(?:node|grpc|store|bus|postgres|auth|server\/(?!author))|\/(?:@grpc|pg|esbuild|protobufjs)\//;
  expect(send.filter((url) => needless.test(url))).toEqual([]);
});
