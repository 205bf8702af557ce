import { connectOptions } from "../connect/connect-options.js";
import { countVerdicts, diagnosisText, resultText } from "../doctor/report.js";
import { runDoctor } from "../doctor/run-doctor.js";
import type { Diagnosis } from "@parley/inspector/probe";
import { defineCommand } from "../options/define-command.js";
import { createProgress } from "../output/progress.js";
import { textLine } from "../output/text-form.js";
import { writeDocument } from "../output/write-json.js";
import { probeOptions, withTarget } from "../probe/open-target.js";
import type { Command } from "../command.js";

/** Looks at an agent from outside, and says what is wrong and how to mend it. */
export const doctorCommand: Command = defineCommand({
  name: "doctor",
  args: "[REF]",
  takes: { min: 0, max: 1 },
  about: [
    "Compares what an agent's card says with what the wire does: well-known paths, addresses, every declared",
    "interface in its version, credentials, streams, subscriptions, push notifications, web pages, signatures.",
    "Prints a verdict for each, with what to change. The exit code is 1 if there are errors.",
    "",
    "It sends --message at most three times to each interface, asks for tasks that do not exist, and registers a",
    "webhook at a host that does not exist and removes it. It cancels tasks that still work when it is done; tasks",
    "that have ended stay. With --read-only it sends no message and changes nothing. --transport and --a2a-version",
    "choose among the interfaces.",
  ],
  options: [...connectOptions, ...probeOptions, "read-only", "origin"],
  examples: [
    "doctor localhost:4100",
    'doctor https://agents.example.com/travel --message "stream 5 200" -o json',
  ],
  run: async (invocation) =>
    withTarget(invocation, async ({ target, documents, reference, signal }) => {
      const { values, output, format } = invocation;
      const isText = format === "text";
      const { message, origin, "read-only": isReadOnly } = values;
      const options = { message, sends: !isReadOnly, ...(origin !== undefined && { origin }) };
      const diagnoses: Diagnosis[] = [];
      using progress = createProgress(output.stderr);
      if (isText) output.stdout.write(textLine("Agent", `${target.card.name} (${reference})`));
      let place: string | undefined;
      for await (const one of runDoctor({ target, documents, options })) {
        signal.throwIfAborted();
        diagnoses.push(one);
        progress.show(`${one.interface ?? "card"}: ${one.check}`);
        if (!isText) continue;
        progress.clear();
        if (one.interface !== place) {
          place = one.interface;
          output.stdout.write(textLine("Interface", `${one.interface} at ${one.url}`));
        }
        output.stdout.write(diagnosisText(one));
      }
      const counts = countVerdicts(diagnoses);
      if (isText) output.stdout.write(resultText(diagnoses));
      else {
        writeDocument(output.stdout, {
          agent: target.card.name,
          card: target.cardUrl ?? reference,
          counts,
          diagnoses,
        });
      }
      return counts.error > 0 ? 1 : 0;
    }),
});
