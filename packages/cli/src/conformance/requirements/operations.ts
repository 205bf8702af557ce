/** Requirements on the operations that send, stream, read, list and cancel tasks (§3.1, §3.2, §3.5). */
export const operations = {
  "send:one-payload": {
    section: "3.1.1",
    level: "MUST",
    text: "A server answers SendMessage with exactly one of a task and a message.",
  },
  "send:direct-message": {
    section: "3.1.1",
    level: "MAY",
    text: "A server answers a simple message directly, without creating a task.",
  },
  "send:terminal-task": {
    section: "3.1.1",
    level: "MUST",
    text: "A server answers a message for a completed, failed, canceled or rejected task with UnsupportedOperationError.",
  },
  "send:unknown-task-id": {
    section: "3.4.2",
    level: "MUST",
    text: "A server answers a message whose taskId names no existing task with TaskNotFoundError.",
  },
  "send:client-task-id": {
    section: "3.4.2",
    level: "MUST",
    text: "A server never creates a task under an id that the client chose.",
  },
  "send:unsupported-media-type": {
    section: "3.1.1",
    level: "MUST",
    text: "A server answers a message part in a media type that the agent does not take with ContentTypeNotSupportedError.",
  },
  "send:active-task": {
    section: "3.3.3",
    level: "MAY",
    text: "A server takes further messages for a task that is not terminal.",
  },
  "send:duplicate-message-id": {
    section: "3.3.1",
    level: "MAY",
    text: "A server uses the messageId to recognize a message that it has already handled.",
  },
  "send:blocking-default": {
    section: "3.2.2",
    level: "MUST",
    text: "A server whose caller leaves returnImmediately unset or false answers once the task is terminal or interrupted.",
  },
  "send:blocking-latest-state": {
    section: "3.2.2",
    level: "MUST",
    text: "A server that waited for the task answers with its latest status and all of its artifacts.",
  },
  "send:return-immediately": {
    section: "3.2.2",
    level: "MUST",
    text: "A server whose caller sets returnImmediately answers as soon as the task exists, even while it is being worked on.",
  },
  "send:return-immediately-message": {
    section: "3.2.2",
    level: "MUST",
    text: "A server that replies with a direct message gives the same answer whatever returnImmediately says.",
  },
  "send:return-immediately-push": {
    section: "3.2.2",
    level: "MUST",
    text: "A server delivers the configured push notifications whatever returnImmediately says.",
  },
  "send:accepted-output-modes": {
    section: "3.2.2",
    level: "SHOULD",
    text: "A server fits its output to the media types listed in acceptedOutputModes.",
    instead:
      "The server tells the handler which media types the caller accepts, and drops nothing, for only the author can say it in another form.",
  },
  "send:inline-push-config": {
    section: "3.2.2",
    level: "MUST",
    text: "A server registers a push configuration sent inside a send request for the task that the request creates or continues.",
  },
  "send:inline-push-task-id": {
    section: "3.2.2",
    level: "SHOULD",
    text: "A client leaves the taskId of a push configuration empty when it sends it inside a send request.",
  },
  "stream:established": {
    section: "3.1.2",
    level: "MUST",
    text: "A server opens a stream of updates in answer to SendStreamingMessage.",
  },
  "stream:message-only": {
    section: "3.1.2",
    level: "MUST",
    text: "A server that streams a direct message sends exactly that one message and closes the stream.",
  },
  "stream:task-first": {
    section: "3.1.2",
    level: "MUST",
    text: "A server that streams a task sends the task itself as the first event.",
  },
  "stream:update-events": {
    section: "3.1.2",
    level: "MUST",
    text: "A server follows the first task of a stream only with status and artifact updates, apart from a closing snapshot.",
  },
  "stream:close-at-terminal": {
    section: "3.1.2",
    level: "MUST",
    text: "A server closes a message stream when the task becomes terminal.",
  },
  "stream:immediate-feedback": {
    section: "3.1.2",
    level: "MUST",
    text: "A server puts progress and intermediate results on the stream as they arise.",
  },
  "stream:one-payload": {
    section: "3.2.3",
    level: "MUST",
    text: "A server puts exactly one of task, message, statusUpdate and artifactUpdate in each stream event.",
  },
  "stream:status-update-fields": {
    section: "4.2.1",
    level: "MUST",
    text: "A server gives every status update its taskId, contextId and status.",
  },
  "stream:artifact-update-fields": {
    section: "4.2.2",
    level: "MUST",
    text: "A server gives every artifact update its taskId, contextId and artifact.",
  },
  "stream:return-immediately": {
    section: "3.2.2",
    level: "MUST",
    text: "A server streams updates in the same way whatever returnImmediately says.",
  },
  "stream:terminal-task": {
    section: "3.1.2",
    level: "MUST",
    text: "A server answers a streaming message for a terminal task with UnsupportedOperationError.",
  },
  "stream:unknown-task-id": {
    section: "3.1.2",
    level: "MUST",
    text: "A server answers a streaming message for a missing or hidden task with TaskNotFoundError.",
  },
  "stream:unsupported-media-type": {
    section: "3.1.2",
    level: "MUST",
    text: "A server answers a streaming message part in a media type that the agent does not take with ContentTypeNotSupportedError.",
  },
  "stream:capability": {
    section: "3.3.4",
    level: "MUST",
    text: "A server that does not declare streaming answers SendStreamingMessage with UnsupportedOperationError.",
  },
  "stream:order": {
    section: "3.5.2",
    level: "MUST",
    text: "A server delivers the events of a stream in the order in which they arose.",
  },
  "stream:concurrent": {
    section: "3.5.2",
    level: "MAY",
    text: "A server serves several streams of one task at the same time.",
  },
  "stream:broadcast": {
    section: "3.5.2",
    level: "MUST",
    text: "A server sends each event of a task to every open stream of that task.",
  },
  "stream:same-events": {
    section: "3.5.2",
    level: "MUST",
    text: "A server sends the same events in the same order on every stream of a task.",
  },
  "stream:independent-close": {
    section: "3.5.2",
    level: "MUST",
    text: "A server keeps the other streams of a task open when one of them closes.",
  },
  "stream:task-outlives-stream": {
    section: "3.5.2",
    level: "MUST",
    text: "A server goes on with a task when the streams that watch it close.",
  },
  "stream:close-at-input-required": {
    section: "11.7",
    level: "MAY",
    text: "A server closes a message stream when the task asks for input.",
  },
  "stream:open-at-auth-required": {
    section: "7.6.1",
    level: "SHOULD",
    text: "A server keeps its streams open while a task waits for an out-of-band credential.",
  },
  "stream:final-snapshot": {
    section: "11.7",
    level: "MAY",
    text: "A server sends a last snapshot of the task before it closes a stream.",
  },
  "subscribe:snapshot-first": {
    section: "3.1.6",
    level: "MUST",
    text: "A server sends the task as it stands at subscription time as the first event of SubscribeToTask.",
  },
  "subscribe:no-gap": {
    section: "3.1.6",
    level: "MUST",
    text: "A server loses no event between the snapshot and the first update of a subscription.",
  },
  "subscribe:active-task": {
    section: "3.1.6",
    level: "MUST",
    text: "A server accepts a subscription to any task that is not terminal.",
  },
  "subscribe:close-at-terminal": {
    section: "3.1.6",
    level: "MUST",
    text: "A server ends a subscription when the task becomes terminal.",
  },
  "subscribe:open-while-interrupted": {
    section: "3.1.6",
    level: "SHOULD",
    text: "A server keeps a subscription open while its task waits for input or authorization.",
  },
  "subscribe:terminal-task": {
    section: "3.1.6",
    level: "MUST",
    text: "A server answers a subscription to a terminal task with UnsupportedOperationError.",
  },
  "subscribe:unknown-task": {
    section: "3.1.6",
    level: "MUST",
    text: "A server answers a subscription to a missing or hidden task with TaskNotFoundError.",
  },
  "subscribe:capability": {
    section: "3.3.4",
    level: "MUST",
    text: "A server that does not declare streaming answers SubscribeToTask with UnsupportedOperationError.",
  },
  "get:current-state": {
    section: "3.1.3",
    level: "MUST",
    text: "A server answers GetTask with the present status and artifacts of the task.",
  },
  "get:unknown-task": {
    section: "3.1.3",
    level: "MUST",
    text: "A server answers GetTask for a missing or hidden task with TaskNotFoundError.",
  },
  "get:idempotent": {
    section: "3.3.1",
    level: "MUST",
    text: "A server leaves its tasks unchanged when a client reads or lists them.",
  },
  "list:visible-only": {
    section: "3.1.4",
    level: "MUST",
    text: "A server lists only the tasks that the caller may see.",
  },
  "list:unfiltered-scope": {
    section: "13.1",
    level: "MUST",
    text: "A server keeps a list within the caller's authorization when the request names no context or other filter.",
  },
  "list:cursor-pagination": {
    section: "3.1.4",
    level: "MUST",
    text: "A server pages through tasks by an opaque cursor in pageToken and nextPageToken.",
  },
  "list:order": {
    section: "3.1.4",
    level: "MUST",
    text: "A server lists tasks by status timestamp, newest first.",
  },
  "list:omit-artifacts": {
    section: "3.1.4",
    level: "MUST",
    text: "A server leaves the artifacts member out of every listed task unless includeArtifacts is true.",
  },
  "list:include-artifacts": {
    section: "3.1.4",
    level: "SHOULD",
    text: "A server includes the artifacts member of every listed task, even an empty one, when includeArtifacts is true.",
  },
  "list:next-page-token-present": {
    section: "3.1.4",
    level: "MUST",
    text: "A server puts a nextPageToken in every list response.",
  },
  "list:last-page": {
    section: "3.1.4",
    level: "MUST",
    text: "A server sets nextPageToken to the empty string on the last page.",
  },
  "list:response-fields": {
    section: "3.1.4",
    level: "MUST",
    text: "A server puts tasks, nextPageToken, pageSize and totalSize in every list response, even when they are empty or zero.",
  },
  "list:total-size": {
    section: "3.1.4",
    level: "MUST",
    text: "A server reports as totalSize how many visible tasks match the filters before paging.",
  },
  "list:default-page-size": {
    section: "3.1.4",
    level: "MUST",
    text: "A server returns at most 50 tasks a page when the request gives no pageSize.",
  },
  "list:page-size-limit": {
    section: "3.1.4",
    level: "MUST",
    text: "A server returns no more tasks than the pageSize asks for.",
  },
  "list:page-size-range": {
    section: "3.1.4",
    level: "MUST",
    text: "A server rejects a pageSize below 1 or above 100.",
  },
  "list:filter-context": {
    section: "3.1.4",
    level: "MUST",
    text: "A server given a contextId lists only the tasks of that context.",
  },
  "list:filter-status": {
    section: "3.1.4",
    level: "MUST",
    text: "A server given a status lists only the tasks in that state.",
  },
  "list:filter-timestamp": {
    section: "3.1.4",
    level: "MUST",
    text: "A server given statusTimestampAfter lists only tasks whose status timestamp is that instant or later.",
  },
  "list:history-length": {
    section: "3.1.4",
    level: "MUST",
    text: "A server applies historyLength to every task that it lists.",
  },
  "list:client-last-page": {
    section: "3.1.4",
    level: "SHOULD",
    text: "A client takes an empty nextPageToken as the end of the list.",
  },
  "cancel:updated-task": {
    section: "3.1.5",
    level: "MUST",
    text: "A server tries to cancel the task and answers CancelTask with its updated state.",
  },
  "cancel:unknown-task": {
    section: "3.1.5",
    level: "MUST",
    text: "A server answers CancelTask for a missing or hidden task with TaskNotFoundError.",
  },
  "cancel:not-cancelable": {
    section: "3.1.5",
    level: "MUST",
    text: "A server answers CancelTask for a task that has ended, canceled ones included, with TaskNotCancelableError.",
  },
  "cancel:idempotent": {
    section: "3.3.1",
    level: "MUST",
    text: "A repeated CancelTask has the same effect as the first: the task stays canceled, and nothing else changes.",
  },
  "cancel:purged-task": {
    section: "3.3.1",
    level: "MAY",
    text: "A server answers a repeated CancelTask for a task that it has purged with TaskNotFoundError.",
  },
} as const;
