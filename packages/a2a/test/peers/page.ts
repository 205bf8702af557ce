import { casesOf, expectedOf, knownFailureOf } from "./case.js";
import type { Case } from "./case.js";
import { knownFailures } from "./known-failures.js";
import type { KnownFailure } from "./known-failures.js";
import { operations } from "./operations.js";
import { directions, peers } from "./peers.js";
import type { Direction, Peer } from "./peers.js";

const titles: Readonly<Record<Direction, string>> = {
  "their client": "Their clients call a Parley server",
  "our client": "The Parley client calls their servers",
};

const introduction = `# Other people's clients and servers

\`npm run interop\` writes this page. It installs the SDKs below into a folder that it removes again, and lets each of them call a
Parley server, and be called by the Parley client, over every binding and in every version that the SDK has. The run
fails when a case fails that this page does not explain, and when a case passes that this page says fails.

| column         | what has to hold                                                                                       |
| -------------- | ------------------------------------------------------------------------------------------------------ |
| card           | the card is read, and is enough to call the agent                                                      |
| send           | an agent answers with a task, and with a message                                                       |
| stream         | chunks arrive while the agent works, and the end                                                       |
| cut stream     | the connection is cut in the middle; the caller subscribes again and gets the rest                     |
| get, list      | a task is read while the agent works and afterwards; the tasks of a context are found                  |
| cancel         | a task is canceled while the agent works, and its stream says so                                       |
| subscribe      | a second watcher follows a task to its end                                                             |
| push           | a webhook is set, read, listed and removed where the SDK can; it is called, with its token             |
| files          | bytes and URLs arrive as they were sent, at the agent and back at the caller                           |
| multi-turn     | the agent asks, the caller answers, the same task completes                                            |
| task not found | the caller gets the SDK's own type for this error, or the status if the SDK has no types; so for the others |
| not cancelable | a task that has ended is canceled                                                                      |
| unsupported    | a webhook is set at an agent without push notifications                                                |
| invalid params | a message without parts is sent                                                                        |

✓ passes, ✗ fails for the reason with this number, – is not offered by the SDK.
`;

/** The page as it is if every case turns out as expected. */
export function writePage(
  these: readonly Peer[] = peers,
  known: readonly KnownFailure[] = knownFailures,
): string {
  const numbers = new Map(known.map((failure, index) => [failure, index + 1]));
  const cell = (one: Case): string => {
    const expected = expectedOf(one, known);
    if (expected === "not offered") return "–";
    const failure = knownFailureOf(one, known);
    return failure === undefined ? "✓" : `✗ ${numbers.get(failure)}`;
  };
  const tables = directions.map((direction) => {
    const rows = these.flatMap((peer) =>
      peer.interfaces.map((at) => {
        const cells = casesOf([peer]).filter((one) => one.direction === direction && one.at === at);
        return [peer.title, at.version, at.binding, ...cells.map(cell)];
      }),
    );
    return `## ${titles[direction]}\n\n${table(["SDK", "version", "binding", ...operations], rows)}\n`;
  });
  const reasons = known.map(({ fault, because }) => `1. **${fault}**: ${because}\n`);
  return `${introduction}\n${tables.join("\n")}\n## What does not pass\n\n${reasons.join("") || "Nothing.\n"}`;
}

/** A table as prettier writes it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
