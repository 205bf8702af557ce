import { writeFile } from "node:fs/promises";
import type { Command } from "../command.js";
import { junitXml } from "../conformance/junit.js";
import { countResults, resultLine, summaryText } from "../conformance/report.js";
import { runConformance } from "../conformance/run-conformance.js";
import type { ConformanceResult } from "../conformance/run-conformance.js";
import { connectOptions } from "../connect/connect-options.js";
import { defineCommand } from "../options/define-command.js";
import { createProgress } from "../output/progress.js";
import { textLine } from "../output/text-form.js";
import { writeDocument } from "../output/write-json.js";
import { probeOptions, withTarget } from "../probe/open-target.js";

/** Checks an agent against the requirements of the specification that show from outside. */
export const conformanceCommand: Command = defineCommand({
  name: "conformance",
  args: "[REF]",
  takes: { min: 0, max: 1 },
  about: [
    "Checks an agent against the requirements of the A2A specification, as far as a client sees them, over every",
    "interface that its card declares. Prints what fails; --verbose prints everything. The exit code is 1 if a MUST",
    "fails; a SHOULD that fails is a warning.",
    "",
    "It sends --message and --slow-message several times to each interface, spoiled messages too, asks for tasks",
    "that do not exist, and registers webhooks at a host that does not exist and removes them. An agent on this",
    "machine is also given a webhook of this tool, to see what it posts. It cancels tasks that still work when it is",
    "done. --transport and --a2a-version choose among the interfaces.",
  ],
  options: [...connectOptions, ...probeOptions, "slow-message", "junit"],
  examples: [
    'conformance localhost:4100 --message "task hello" --slow-message "stream 20 100"',
    "conformance https://agents.example.com/travel --junit report.xml",
  ],
  run: async (invocation) =>
    withTarget(invocation, async ({ target, documents, reference, signal }) => {
      const { values, output, format } = invocation;
      const isText = format === "text";
      const { message, "slow-message": slowMessage, verbose, junit } = values;
      const options = { message, ...(slowMessage !== undefined && { slowMessage }) };
      const results: ConformanceResult[] = [];
      using progress = createProgress(output.stderr);
      if (isText) output.stdout.write(textLine("Agent", `${target.card.name} (${reference})`));
      let place = "card";
      for await (const one of runConformance({ target, documents }, options)) {
        signal.throwIfAborted();
        results.push(one);
        progress.show(`${one.interface}: ${one.id}`);
        if (!isText || (one.status !== "fail" && !verbose)) continue;
        progress.clear();
        if (one.interface !== place) {
          place = one.interface;
          output.stdout.write(textLine("Interface", place));
        }
        output.stdout.write(resultLine(one));
      }
      progress.clear();
      const counts = countResults(results);
      if (isText) output.stdout.write(summaryText(results));
      else {
        const card = target.cardUrl ?? reference;
        writeDocument(output.stdout, { agent: target.card.name, card, counts, results });
      }
      if (junit !== undefined) await writeFile(junit, junitXml(target.card.name, results));
      return counts.failed > 0 ? 1 : 0;
    }),
});
