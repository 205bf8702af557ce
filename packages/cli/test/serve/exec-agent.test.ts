import { expect, it } from "vitest";
import { tryAgent } from "@parley/a2a/testing";
import { createExecAgent } from "../../dist/serve/exec/exec-agent.js";

it("tells what a program writes", async () => {
  await using trial = await tryAgent(createExecAgent({ words: ["cat"] }));
  const talk = await trial.send("hello");
  expect(await talk.text()).toBe("hello");
});
it("fails", async () => {
  await using trial = await tryAgent(
    createExecAgent({ words: ["sh", "-c", "echo part; echo oh no >&2; exit 3"] }),
  );
  const talk = await trial.send("hello");
  const task = await talk.task();
  console.log(JSON.stringify(task, null, 1));
});
it("fd3", async () => {
  await using trial = await tryAgent(
    createExecAgent({
      words: [
        "sh",
        "-c",
        `echo '{"status":"w","progress":0.5}' >&3; echo hi; echo '{"artifact":"a","data":{"x":1}}' >&3; env | grep PARLEY; echo '{"inputRequired":"Which?"}' >&3`,
      ],
    }),
  );
  const talk = await trial.send("hello");
  console.log(await talk.question(), JSON.stringify(talk.updates, null, 1));
});
