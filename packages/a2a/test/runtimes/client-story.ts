import type { ProtocolVersion } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";

/** Where the demo agent is, and a proxy before it that cuts connections. */
export interface StoryPlaces {
  readonly agentUrl: string;
  readonly badLineUrl: string;
}

/** What came of it, in values that survive the way out of any runtime. */
export interface Story {
  readonly connected: readonly string[];
  readonly answers: Readonly<Record<string, string>>;
  readonly file: string;
  readonly streamed: string;
  readonly reconnections: number;
  readonly asked: string;
  readonly canceled: string;
  readonly aborted: string;
  readonly refused: string;
}

const interfaces: readonly (readonly [binding: string, version: ProtocolVersion])[] = [
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "1.0"],
  ["JSONRPC", "0.3"],
  ["HTTP+JSON", "0.3"],
  ["JSONRPC", "0.1"],
];

/**
 * A client's life, told the same in every runtime: it knows nothing but the library and the web's own
 * names, and is bundled for wherever it is to run.
 */
export async function tellStory({ agentUrl, badLineUrl }: StoryPlaces): Promise<Story> {
  const agent = await connect(agentUrl);
  const over = (url: string, [binding, version]: (typeof interfaces)[number]) =>
    connect({
      ...agent.card,
      supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version }],
    });
  const answers: Record<string, string> = {};
  for (const one of interfaces) {
    answers[one.join(" ")] = await (await over(agentUrl, one)).text("echo hello");
  }
  const { task } = await agent.send(["file", new Blob(["a"], { type: "text/plain" })]);
  return {
    connected: [agent.card.name, agent.binding, agent.version],
    answers,
    file: atob(task?.artifacts?.[0]?.parts[0]?.raw ?? ""),
    ...(await readOverBadLine(await over(badLineUrl, ["JSONRPC", "1.0"]))),
    asked: await agent.text("flight", { onInputRequired: answerWith("Berlin to Tokyo", "in May") }),
    canceled: await startAndCancel(agent),
    aborted: await abort(agent),
    refused: await agent.task("none").then(() => "found", String),
  };
}

async function readOverBadLine(
  agent: RemoteAgent,
): Promise<Pick<Story, "streamed" | "reconnections">> {
  let streamed = "";
  let reconnections = 0;
  const events = agent.stream("stream 20 5", {
    idempotencyKey: crypto.randomUUID(),
    onReconnect: () => (reconnections += 1),
  });
  for await (const event of events) {
    if (event.kind !== "artifact") continue;
    streamed += event.artifact.parts.map((part) => part.text ?? "").join("");
  }
  return { streamed, reconnections };
}

function answerWith(...answers: string[]): () => string | undefined {
  return () => answers.shift();
}

async function startAndCancel(agent: RemoteAgent): Promise<string> {
  const started = await agent.start("wait 60");
  if (started.kind !== "task") return started.kind;
  const done = started.done();
  await started.cancel();
  return (await done).status.state;
}

async function abort(agent: RemoteAgent): Promise<string> {
  const caller = new AbortController();
  let taskId = "";
  try {
    for await (const event of agent.stream("wait 60", { signal: caller.signal })) {
      if (event.kind !== "task") continue;
      taskId = event.task.id;
      caller.abort(new Error("enough"));
    }
    return "ended";
  } catch (error) {
    // Leaving a stream is not the end of its task.
    const { status } = await agent.task(taskId);
    await agent.cancel(taskId);
    return `${String(error)}, ${status.state}`;
  }
}
