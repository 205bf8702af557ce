import type { CallContext, CallableService, ListTasksRequest, Task } from "../protocol/internal.js";
import { refuseAnswer } from "../binding/internal.js";

/** All tasks that match the filter, page after page. Throws when the pages lead in a circle. */
export async function* listPages(
  service: CallableService,
  filter: ListTasksRequest,
  call: CallContext,
): AsyncGenerator<Task, void, void> {
  // A token to compare with, replaced after 1, 2, 4, … pages: finds a circle of any length, and keeps one token.
  let known = "";
  let request = filter;
  for (let page = 1; ; page += 1) {
    const { tasks, nextPageToken: pageToken } = await service.listTasks(request, call);
    yield* tasks;
    if (pageToken === "") return;
    if (pageToken === known) {
      throw refuseAnswer("nextPageToken", "the pages lead in a circle");
    }
    if ((page & -page) === page) known = pageToken;
    request = { ...filter, pageToken };
  }
}
