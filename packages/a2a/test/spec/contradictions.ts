/** A point on which the five seed documents disagree with each other, and what is done about it. */
export interface Contradiction {
  readonly topic: string;
  readonly resolution: string;
  /** The layer that completes the resolution, where `wire` and `protocol` hold only a part of it. */
  readonly where?: string;
}

/**
 * The seeds are five documents about A2A, written at different times: 0 describes the methods of 0.3,
 * 1 is the method chapter of 0.1, 2 mixes 0.2 with inventions, 3 adds types of its own to 0.2, and 4
 * puts the names of 1.0 over the payloads of 0.3. All are served at once.
 */
export const contradictions = {
  C1: {
    topic: "what sending and streaming are called",
    resolution: "Every published name is accepted, and the name decides the dialect.",
  },
  C2: {
    topic: "where the public card is",
    resolution: "Both well-known paths lead to a card; agent-card.json is the one to advertise.",
    where: "http",
  },
  C3: {
    topic: "how the extended card is asked for",
    resolution: "By either slash method, by GET and by the 1.0 method, each in its own form.",
  },
  C4: {
    topic: "what setting a webhook returns",
    resolution:
      "The configuration; success is added only for callers that register headers, as one seed does.",
  },
  C5: {
    topic: "how a webhook is authenticated",
    resolution:
      "By one scheme and its credentials; lists of schemes and headers are reduced to it.",
    where: "server",
  },
  C6: {
    topic: "how a webhook is looked up",
    resolution: "Before 1.0 the id of the task is enough and means the default configuration.",
    where: "server",
  },
  C7: {
    topic: "what listing webhooks is called",
    resolution: "The singular name is an alias of the plural one.",
  },
  C8: {
    topic: "how parts are keyed",
    resolution:
      "By kind, by type or by their member alone when read; as the dialect has it when written.",
  },
  C9: {
    topic: "whether a message needs an id",
    resolution:
      "Up to 0.3 a missing or blank id is looked for beside the message, then made up; 1.0 refuses.",
  },
  C10: {
    topic: "who names a task",
    resolution: "The client in 0.1 only; everywhere else the server.",
    where: "server",
  },
  C11: {
    topic: "what groups tasks",
    resolution: "One context, which 0.1 calls a session.",
  },
  C12: {
    topic: "how canceled is spelt",
    resolution:
      "Both spellings are read; each dialect writes its own, which is canceled in lower case.",
  },
  C13: {
    topic: "how input-required is spelt",
    resolution: "With a hyphen; the underscore is read.",
  },
  C14: {
    topic: "what failure is called",
    resolution: "failed; error is read.",
  },
  C15: {
    topic: "which states there are",
    resolution: "All of the specification's; what a version lacks is told by its nearest state.",
  },
  C16: {
    topic: "what a status holds",
    resolution:
      "State, message and timestamp; progress and error of some peers live on in metadata and are shown in 0.x only.",
    where: "server, which stamps every status",
  },
  C17: {
    topic: "what an artifact looks like",
    resolution: "An id and parts; flat files and artifacts without an id are only read.",
  },
  C18: {
    topic: "where append and lastChunk are",
    resolution: "Inside the artifact in 0.1, on the event from 0.2 on.",
  },
  C19: {
    topic: "how an event names its task",
    resolution: "By id in 0.1, by taskId and contextId later; what a peer leaves out is filled in.",
  },
  C20: {
    topic: "what surrounds an event",
    resolution: "That depends on the binding: kind inside a JSON-RPC response, a wrapper in REST.",
  },
  C21: {
    topic: "what a stream begins with",
    resolution: "The task; 0.1, which cannot say that, gets the updates that lead to it.",
    where: "server",
  },
  C22: {
    topic: "whether a stream announces its end",
    resolution: "By final in 0.x, not at all in 1.0.",
    where: "server, which knows when a stream closes",
  },
  C23: {
    topic: "what a send returns",
    resolution:
      "A task in 0.1, a bare task or message in 0.2 and 0.3, a wrapped one in REST and 1.0.",
  },
  C24: {
    topic: "whether results have a kind",
    resolution: "Always written in 0.2 and 0.3, never required of a peer.",
  },
  C25: {
    topic: "whether a send waits",
    resolution: "It does unless the caller says otherwise.",
    where: "server",
  },
  C26: {
    topic: "how a card describes authentication",
    resolution: "By security schemes; the two other forms are read into them.",
  },
  C27: {
    topic: "how a card says where the agent is",
    resolution: "By its interfaces; url, endpoints and interfaces are read into them.",
  },
  C28: {
    topic: "what a skill needs",
    resolution: "An id and tags; they are derived for a peer's skill that lacks them.",
  },
  C29: {
    topic: "which capabilities there are",
    resolution: "The specification's; a capability of nobody else is ignored.",
  },
  C30: {
    topic: "what tasks/get takes",
    resolution: "A task's id; up to 0.3 also the id of a message that led to one.",
    where: "server",
  },
  C31: {
    topic: "what tasks/resubscribe takes",
    resolution: "Either parameter object; a history length is of no interest to a stream.",
  },
  C32: {
    topic: "the HTTP method of a subscription",
    resolution: "POST and GET, in 0.3 and in 1.0.",
  },
  C33: {
    topic: "what a link to a file is called",
    resolution: "uri in 0.x; url is read, and no media type is needed.",
  },
  C34: {
    topic: "what an error carries",
    resolution: "One object with everything in 0.x, typed details in 1.0.",
    where: "http, which adds Retry-After",
  },
  C35: {
    topic: "which fields a server-sent event has",
    resolution: "data alone counts; names and ids beside it are tolerated.",
    where: "http",
  },
  C36: {
    topic: "what an extension may change",
    resolution: "Metadata; no new kinds of part, and new states are read as unspecified.",
  },
  C37: {
    topic: "whether empty lists are written",
    resolution: "1.0 leaves them out; earlier versions may have them.",
  },
  C38: {
    topic: "which operations are mandatory",
    resolution: "All exist in every binding; what a version lacks is answered with an error.",
    where: "server, which checks capabilities",
  },
  C39: {
    topic: "what a webhook receives",
    resolution: "What the dialect that registered it expects.",
    where: "server, which remembers the dialect with each configuration",
  },
  C40: {
    topic: "which URL an agent has",
    resolution: "Whatever its card says; every path is relative to that.",
    where: "http",
  },
  C41: {
    topic: "what a history length of 0 means",
    resolution: "No history, in every JSON dialect.",
    where: "server",
  },
  C42: {
    topic: "when a client goes on polling",
    resolution: "While the task has neither ended nor waits for its caller.",
    where: "client",
  },
} as const satisfies Readonly<Record<`C${number}`, Contradiction>>;
