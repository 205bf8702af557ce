import { progress, time } from "../measure.js";
import { rpc, sending } from "../load/request.js";
import { fillSdkTasks, fillTasks } from "../suite/fill-tasks.js";
import type { Template } from "../suite/fill-tasks.js";
import type { Lab } from "../suite/lab.js";
import { expectAnswer } from "../suite/load-on.js";
import type { Series } from "../suite/series.js";
import type { Subject } from "../suite/subject.js";

const pageSize = 50;

export const listTasks: Series = {
  name: "list-tasks",
  title: "ListTasks with a million tasks",
  what: "Pages of 50 over HTTP from a SQLite file with a million ended tasks, copies of one that the server made: the first page, one in the middle, and one of the 400,000 since a time. One connection.",
  reference: "the SDK, with the statements of its store on a SQLite file of as many tasks",
  async measure(lab) {
    const count = lab.isQuick ? 20_000 : 1_000_000;
    const later = count * 0.4;
    const path = lab.newFile();
    const made = await makeFirst(lab, path);
    progress(`copying a task ${count.toLocaleString("en")} times`);
    const filledMs = await time(() => fillTasks(path, made.template, { count, later }));
    const sdkPath = lab.newFile();
    fillSdkTasks(sdkPath, { count, later }, made.task);
    const parley = await lab.open("parley", { store: path });
    const sdk = await lab.open("sdk", { store: sdkPath, journal: "WAL" });
    const total = count + made.count;
    const first = rpc("ListTasks", { pageSize });
    const deep = rpc("ListTasks", { pageSize, pageToken: made.pageToken });
    const since = rpc("ListTasks", { pageSize, statusTimestampAfter: made.template.timestamp });
    const veryFirstMs = await time(() => expectPage(lab, parley, first, total));
    await expectPage(lab, parley, deep, total);
    await expectPage(lab, parley, since);
    await expectPage(lab, sdk, first);
    const ms = async (subject: Subject, request: string, forMs = 300): Promise<number> => {
      const plan = { requests: [request], shape: "busy", connections: 1 } as const;
      return (await lab.generator.http(subject, { ...plan, forMs: lab.ms(forMs) })).medianMs;
    };
    const values = await lab.inTurns({
      first: () => ms(parley, first),
      deep: () => ms(parley, deep),
      since: () => ms(parley, since),
      sdk: () => ms(sdk, first),
    });
    const goal = (what: string, side: readonly number[], atMost: number) => ({
      what,
      values: side,
      unit: " ms",
      atMost,
    });
    return {
      panels: [
        {
          title: "a page of 50",
          unit: "ms",
          better: "less",
          bars: [
            { label: "Parley, first page", values: values.first, isOurs: true },
            { label: "Parley, page in the middle", values: values.deep, isOurs: true },
            { label: "Parley, since a time", values: values.since, isOurs: true },
            { label: "SDK, first page", values: values.sdk, isOurs: false },
          ],
        },
      ],
      goals: [
        goal("first page", values.first, 1),
        goal("page in the middle", values.deep, 1),
        goal("page of those since a time, 400,000 of them", values.since, 2),
      ],
      notes: [
        `The very first page after the start took ${veryFirstMs.toFixed(1)} ms. Copying the task took ${(filledMs / 1000).toFixed(0)} s.`,
      ],
    };
  },
};

/** Lets the server make tasks, enough for a second page, and returns one, and where the second page begins. */
async function makeFirst(lab: Lab, path: string) {
  const subject = await lab.open("parley", { store: path });
  const count = pageSize + 1;
  for (let made = 0; made < count; made += 1) {
    await expectAnswer(lab, subject, sending("task Tokyo"), { holding: "TASK_STATE_COMPLETED" });
  }
  const list = bodyOf(await lab.generator.read(subject, rpc("ListTasks", { pageSize })));
  const { tasks, nextPageToken: pageToken } = list.result as {
    readonly tasks: readonly { readonly id: string }[];
    readonly nextPageToken: string;
  };
  const got = await lab.generator.read(subject, rpc("GetTask", { id: tasks[0]?.id }));
  const task = bodyOf(got).result as {
    readonly id: string;
    readonly contextId: string;
    readonly status: { readonly timestamp: string };
    readonly history: readonly { readonly messageId: string }[];
  };
  await lab.close(subject);
  const { id, contextId, status, history } = task;
  const messageId = history[0]?.messageId ?? "";
  const template: Template = { id, contextId, messageId, timestamp: status.timestamp };
  return { template, task, pageToken, count };
}

function bodyOf(answer: string): { readonly result?: unknown } {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { readonly result?: unknown };
}

async function expectPage(
  lab: Lab,
  subject: Subject,
  request: string,
  total?: number,
): Promise<void> {
  const holding = total === undefined ? '"tasks"' : `"totalSize":${total}`;
  const answer = await expectAnswer(lab, subject, request, { holding });
  await expectIds(answer);
}

async function expectIds(answer: string): Promise<void> {
  const count = answer.split('"contextId"').length - 1;
  if (count < pageSize) throw new Error(`expected ${pageSize} tasks in ${answer.slice(0, 1000)}`);
}
