import { expect, it } from "vitest";
import { taskOf } from "../support/runtime/answers.js";
import { call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";

async function* chunksOf(...chunks: readonly string[]) {
  yield* chunks;
}

it.each([{}, { maxSuspended: 0 }])(
  "a stream without chunks does not count as a beginning (%j)",
  async (settings) => {
    await using runtime = await openTestRuntime({
      settings,
      run: async function* ({ stream, ask }) {
        yield* stream("nothing", chunksOf(), { artifact: "report" });
        await ask("More?");
        yield* stream("all", chunksOf("all"), { artifact: "report", name: "Report" });
      },
    });
    const { service } = runtime;
    const { id } = taskOf(await service.sendMessage(say("go"), call()));
    const task = taskOf(await service.sendMessage(say("yes", { taskId: id }), call()));
    expect(task.artifacts).toEqual([
      { artifactId: "report", name: "Report", parts: [{ text: "all" }] },
    ]);
  },
);
