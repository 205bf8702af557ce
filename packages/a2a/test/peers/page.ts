import { format, resolveConfig } from "prettier";
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
export async function writePage(
  these: readonly Peer[] = peers,
  known: readonly KnownFailure[] = knownFailures,
): Promise<string> {
  // Two entries may have the same reason: it gets one number.
  const reasons = [...new Set(known.map(({ fault, because }) => `**${fault}**: ${because}`))];
  const cell = (one: Case): string => {
    if (expectedOf(one, known) === "not offered") return "–";
    const failure = knownFailureOf(one, known);
    if (failure === undefined) return "✓";
    return `✗ ${reasons.indexOf(`**${failure.fault}**: ${failure.because}`) + 1}`;
  };
  const tables = directions.map((direction) => {
    const head = ["SDK", "version", "binding", ...operations];
    const rows = these.flatMap((peer) =>
      peer.interfaces.map((at) => {
        const cells = casesOf([peer]).filter((one) => one.direction === direction && one.at === at);
        return [peer.title, at.version, at.binding, ...cells.map(cell)];
      }),
    );
    return `## ${titles[direction]}\n\n${table([head, head.map(() => "---"), ...rows])}\n`;
  });
  const list = reasons.map((reason, index) => `${index + 1}. ${reason}\n`).join("");
  const ends = `## What does not pass\n\n${list || "Nothing.\n"}`;
  const text = [introduction, ...tables, ends].join("\n");
  const options = await resolveConfig(import.meta.filename);
  return format(text, { ...options, parser: "markdown" });
}

const table = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
