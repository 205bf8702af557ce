import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { streamResponse } from "../../../test/support/arbitraries/model.js";
import { Cursor } from "./cursor.js";
import { parseStreamResponse } from "./stream-response.js";

const status = { state: "TASK_STATE_WORKING" };
const task = { id: "t1", status };
const message = { messageId: "m1", role: "ROLE_AGENT", parts: [{ text: "hi" }] };
const statusUpdate = { taskId: "t1", contextId: "c1", status };
const artifact = { artifactId: "a1", parts: [{ text: "x" }] };
const artifactUpdate = { taskId: "t1", contextId: "c1", artifact };

describe("a stream event", () => {
  it("that is as the model has it is returned itself", () => {
    verifies("json:member-as-discriminator");
    fc.assert(
      fc.property(streamResponse, (value) => {
        expect(parseStreamResponse(value, new Cursor()) === value).toBe(true);
      }),
    );
  });

  it("is read under snake_case names, without nulls, defaults and what no one knows", () => {
    const given = {
      artifact_update: {
        task_id: "t1",
        context_id: "c1",
        artifact,
        append: false,
        last_chunk: true,
        index: 3,
      },
      task: null,
    };
    expect(parseStreamResponse(given, new Cursor())).toStrictEqual({
      artifactUpdate: { ...artifactUpdate, lastChunk: true },
    });
    const update = { statusUpdate: { ...statusUpdate, final: true } };
    expect(parseStreamResponse(update, new Cursor())).toStrictEqual({ statusUpdate });
  });

  it("may have an empty context, but names it", () => {
    const update = { statusUpdate: { ...statusUpdate, contextId: "" } };
    expect(parseStreamResponse(update, new Cursor())).toBe(update);
  });

  it.each<[object, string]>([
    [{}, ""],
    [{ task: null }, ""],
    [{ task, message }, ""],
    [{ statusUpdate, artifactUpdate }, ""],
    [{ task: [] }, "task"],
    [{ task: { id: "t1" } }, "task.status"],
    [{ message: { ...message, parts: [] } }, "message.parts"],
    [{ statusUpdate: { ...statusUpdate, taskId: "" } }, "statusUpdate.taskId"],
    [{ statusUpdate: { ...statusUpdate, contextId: undefined } }, "statusUpdate.contextId"],
    [{ statusUpdate: { ...statusUpdate, status: { state: "no" } } }, "statusUpdate.status.state"],
    [{ artifactUpdate: { ...artifactUpdate, append: "yes" } }, "artifactUpdate.append"],
    [{ artifactUpdate: { ...artifactUpdate, lastChunk: 1 } }, "artifactUpdate.lastChunk"],
    [{ artifactUpdate: { ...artifactUpdate, metadata: 1 } }, "artifactUpdate.metadata"],
  ])("is refused at the member that is wrong: %j", (value, field) => {
    expect(violation(() => parseStreamResponse(value, new Cursor()))).toMatchObject({
      code: "INVALID_PARAMS",
      field,
    });
  });
});
