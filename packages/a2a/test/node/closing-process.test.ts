import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("keeps its process alive until it has closed, whatever its runs wait for", async () => {
  const script = `
    import { serve } from "@parley/a2a/node";
    import { agent } from "@parley/a2a/server";
    import { createMemoryStore } from "@parley/a2a/store/memory";
    import { connect } from "@parley/a2a/client";
    let began;
    const begins = new Promise((resolve) => (began = resolve));
    const waiting = agent({
      name: "Waiting",
      description: "Waits for what keeps nothing alive",
      run: ({ signal }) =>
        new Promise((_, reject) => {
          began();
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const settings = { stopGraceMs: 50 };
    const serving = await serve(waiting, { port: 0, store: createMemoryStore(), settings });
    const remote = await connect(serving.url);
    remote.text("hi").catch(() => undefined);
    await begins;
    await serving.close();
    console.log("closed");
    process.exit();`;
  const args = ["--input-type=module", "--eval", script];
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  expect(stdout).toBe("closed\n");
});
