/** The receiver of the push benchmark, in a process of its own. It counts notifications and notes when they arrive. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { text } from "node:stream/consumers";

export interface Arrivals {
  readonly count: number;
  /** `task chunk`, and when it arrived. */
  readonly chunks: readonly (readonly [string, number])[];
}

let count = 0;
let awaited = Infinity;
let chunks: [string, number][] = [];

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const at = performance.timeOrigin + performance.now();
    response.writeHead(204).end();
    count += 1;
    const { artifactUpdate } = JSON.parse(body) as {
      artifactUpdate?: { taskId: string; artifact: { parts: { text: string }[] } };
    };
    if (artifactUpdate !== undefined) {
      const { taskId, artifact } = artifactUpdate;
      chunks.push([`${taskId} ${artifact.parts[0]?.text ?? ""}`, at]);
    }
    if (count >= awaited) tell();
    return undefined;
  });
});

function tell(): void {
  awaited = Infinity;
  process.send?.({ count, chunks } satisfies Arrivals);
}

process.on("message", (message: { reset?: true; until?: number }) => {
  if (message.reset === true) {
    count = 0;
    chunks = [];
    process.send?.("reset");
  } else {
    awaited = message.until ?? 0;
    if (count >= awaited) tell();
  }
});
process.on("disconnect", () => process.exit());

server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
