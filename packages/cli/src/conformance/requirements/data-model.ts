/**
 * Requirements on the JSON form of the data model and on tasks, messages, parts, artifacts and contexts
 * (§3.4, §3.7, §4.1, §5.5 to §5.7).
 */
export const dataModel = {
  "json:camel-case": {
    section: "5.5",
    level: "MUST",
    text: "A sender writes the JSON member names of the data model in camelCase.",
  },
  "json:snake-case-input": {
    section: "5.5",
    level: "MAY",
    text: "A reader of JSON also takes the snake_case names of the proto fields.",
  },
  "json:enum-names": {
    section: "5.5",
    level: "MUST",
    text: "A sender writes an enum value in JSON as its proto name.",
  },
  "json:enum-numbers": {
    section: "5.5",
    level: "MAY",
    text: "A reader of JSON also takes an enum value as its proto number.",
  },
  "json:timestamp-format": {
    section: "5.6.1",
    level: "MUST",
    text: "A sender writes a timestamp in JSON as an ISO 8601 string in UTC that ends in Z.",
  },
  "json:timestamp-parse": {
    section: "5.6.1",
    level: "MUST",
    text: "A reader understands ISO 8601 timestamps with and without a fraction of a second.",
  },
  "json:timestamp-milliseconds": {
    section: "5.6.1",
    level: "SHOULD",
    text: "A sender writes timestamps to the millisecond where it knows them.",
  },
  "json:required-present": {
    section: "5.7",
    level: "MUST",
    text: "A sender sets every field that the proto marks as required.",
  },
  "json:required-missing": {
    section: "5.7",
    level: "SHOULD",
    text: "A reader rejects a message that lacks a required field.",
  },
  "json:required-array": {
    section: "5.7",
    level: "MUST",
    text: "A sender puts at least one element in a required array of content, such as the parts of a message.",
  },
  "json:explicit-default": {
    section: "5.7",
    level: "SHOULD",
    text: "A reader applies the documented default of an optional field only when the field is absent.",
  },
  "json:unknown-members": {
    section: "5.7",
    level: "SHOULD",
    text: "A reader ignores members that it does not know.",
  },
  "json:utf-8": {
    section: "14.1.1",
    level: "MUST",
    text: "A sender encodes JSON text in UTF-8.",
  },
  "json:metadata-values": {
    section: "3.2.5",
    level: "MUST",
    text: "A reader takes any JSON value under any string key in metadata.",
  },
  "json:member-as-discriminator": {
    section: "A.2.1",
    level: "MUST",
    text: "A reader tells the variant of a union by the name of the member that is present.",
  },
  "json:no-kind": {
    section: "A.2.1",
    level: "SHOULD",
    text: "A sender writes no kind member.",
  },
  "task:unique-id": {
    section: "3.4.2",
    level: "MUST",
    text: "A server gives each task that it creates a unique id.",
  },
  "task:id-returned": {
    section: "3.4.2",
    level: "MUST",
    text: "A server puts the generated id in the task that it returns.",
  },
  "task:required-fields": {
    section: "4.1.1",
    level: "MUST",
    text: "A server gives every task an id and a status.",
  },
  "task:state-required": {
    section: "4.1.2",
    level: "MUST",
    text: "A server gives every task status a state.",
  },
  "task:named-states": {
    section: "4.1.3",
    level: "MUST",
    text: "A server reports only the eight named task states and never the unspecified one.",
  },
  "task:terminal-immutable": {
    section: "3.1.1",
    level: "MUST",
    text: "A server changes nothing in a task once it is terminal.",
  },
  "task:history-limit": {
    section: "3.2.4",
    level: "MUST",
    text: "A server returns no more history messages than historyLength allows.",
  },
  "task:history-most-recent": {
    section: "3.2.4",
    level: "MUST",
    text: "A server that shortens a history keeps its most recent messages.",
  },
  "task:history-zero": {
    section: "3.2.4",
    level: "SHOULD",
    text: "A server leaves out the history member when historyLength is zero.",
  },
  "task:history-unset": {
    section: "3.2.4",
    level: "MAY",
    text: "A server chooses how much history it returns when historyLength is unset.",
  },
  "task:history-negative": {
    section: "3.3.2",
    level: "MUST",
    text: "A server rejects a negative historyLength.",
  },
  "task:history-selection": {
    section: "3.7",
    level: "MAY",
    text: "A server decides which messages it keeps in a task's history.",
  },
  "message:id-required": {
    section: "4.1.4",
    level: "MUST",
    text: "A server rejects a message without a messageId.",
  },
  "message:role-required": {
    section: "4.1.4",
    level: "MUST",
    text: "A server rejects a message without a role.",
  },
  "message:parts-required": {
    section: "4.1.4",
    level: "MUST",
    text: "A server rejects a message without parts.",
  },
  "message:sender-role": {
    section: "4.1.5",
    level: "MUST",
    text: "A client sends messages in the user role and a server sends them in the agent role.",
  },
  "message:server-context": {
    section: "4.1.4",
    level: "MUST",
    text: "A server sets the contextId of every message that it sends.",
  },
  "message:server-task": {
    section: "4.1.4",
    level: "MUST",
    text: "A server sets the taskId of a message that it sends only when a task exists.",
  },
  "message:extension-uris": {
    section: "4.1.4",
    level: "MUST",
    text: "A sender lists in a message or artifact the URIs of the extensions present in it.",
  },
  "message:not-for-results": {
    section: "3.7",
    level: "SHOULD",
    text: "A server returns results as artifacts of a task and not as messages.",
    instead:
      "What a handler yields becomes artifacts, and a handler that only returns answers directly, because its author chose so.",
  },
  "message:reliance": {
    section: "3.7",
    level: "MUST",
    text: "A client and a server entrust no critical information to the delivery of a message alone.",
  },
  "message:history-reliance": {
    section: "3.7",
    level: "MUST",
    text: "A client does not count on finding every message in a task's history unless that is agreed elsewhere.",
  },
  "message:reference-tasks": {
    section: "3.4.3",
    level: "SHOULD",
    text: "A client names the tasks that a message relates to in referenceTaskIds.",
  },
  "message:use-references": {
    section: "3.4.3",
    level: "SHOULD",
    text: "A server uses the referenced tasks to understand a follow-up message.",
  },
  "part:one-content": {
    section: "4.1.6",
    level: "MUST",
    text: "A server rejects a part that has none or several of text, raw, url and data.",
  },
  "part:presence": {
    section: "4.1.6",
    level: "MUST",
    text: "A reader recognizes a part's content by the member that is present, even when its value is empty or null.",
  },
  "part:raw-base64": {
    section: "4.1.6",
    level: "MUST",
    text: "A sender writes raw bytes in JSON as base64.",
  },
  "part:data-any-json": {
    section: "4.1.6",
    level: "MUST",
    text: "A reader takes any JSON value, including null, as the data of a part.",
  },
  "part:media-type": {
    section: "4.1.6",
    level: "MUST",
    text: "A reader takes a mediaType and a filename on a part of any kind.",
  },
  "artifact:id-unique": {
    section: "4.1.7",
    level: "MUST",
    text: "A server gives every artifact an artifactId that is unique within its task.",
  },
  "artifact:parts-required": {
    section: "4.1.7",
    level: "MUST",
    text: "A server gives every artifact at least one part.",
  },
  "artifact:append": {
    section: "4.2.2",
    level: "MUST",
    text: "A client adds the parts of an appending update to the earlier artifact of the same id.",
  },
  "artifact:last-chunk": {
    section: "4.2.2",
    level: "MUST",
    text: "A server sets lastChunk only on the final piece of an artifact.",
  },
  "context:generated": {
    section: "3.4.1",
    level: "MAY",
    text: "A server makes up a contextId for a message that has none.",
  },
  "context:generated-returned": {
    section: "3.4.1",
    level: "MUST",
    text: "A server puts a contextId that it made up in the task or message that it returns.",
  },
  "context:client-provided": {
    section: "3.4.1",
    level: "MAY",
    text: "A server accepts and keeps a contextId that the client chose.",
  },
  "context:rejected": {
    section: "3.4.1",
    level: "MUST",
    text: "A server that cannot take the client's contextId answers with an error.",
  },
  "context:not-replaced": {
    section: "3.4.1",
    level: "MUST",
    text: "A server never answers with a new contextId in place of the one that the client sent.",
  },
  "context:inferred": {
    section: "3.4.3",
    level: "MUST",
    text: "A server takes the contextId from the task when a message gives only a taskId.",
  },
  "context:mismatch": {
    section: "3.4.3",
    level: "MUST",
    text: "A server rejects a message whose contextId differs from that of the task it names.",
  },
  "context:same-session": {
    section: "3.4.1",
    level: "SHOULD",
    text: "A server treats all tasks and messages of one contextId as one conversation.",
  },
  "context:shared-knowledge": {
    section: "3.4.3",
    level: "SHOULD",
    text: "A server draws on the earlier interactions of a context when it answers in it.",
  },
  "context:expiry": {
    section: "3.4.1",
    level: "MAY",
    text: "A server lets contexts expire.",
  },
  "context:expiry-documented": {
    section: "3.4.1",
    level: "SHOULD",
    text: "A server documents how its contexts expire.",
  },
  "context:opaque": {
    section: "3.4.1",
    level: "SHOULD",
    text: "A client treats a contextId made by a server as opaque.",
  },
  "context:client-generated": {
    section: "3.4.1",
    level: "SHOULD",
    text: "A client makes up a contextId only when it knows what the server does with it.",
  },
} as const;
