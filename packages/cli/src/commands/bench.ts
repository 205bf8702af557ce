import { measureLoad } from "../bench/measure.js";
import { barOf, histogramOf, percentilesOf } from "../bench/statistics.js";
import type { Percentiles } from "../bench/statistics.js";
import type { Command } from "../command.js";
import { connectOptions } from "../connect/connect-options.js";
import { defineCommand } from "../options/define-command.js";
import { parseInRange } from "../options/parse-in-range.js";
import { parseWait } from "../options/parse-wait.js";
import { textLine } from "../output/text-form.js";
import { writeDocument } from "../output/write-json.js";
import { probeOptions, withTarget } from "../probe/open-target.js";
import { openSession } from "../probe/session.js";
import { labelOf } from "@parley/inspector/probe";
import { UsageError } from "../usage-error.js";

/** Puts a bounded load on an agent, and says how long its answers take. */
export const benchCommand: Command = defineCommand({
  name: "bench",
  args: "[REF]",
  takes: { min: 0, max: 1 },
  about: [
    "Sends --message --requests times, --concurrency at a time, for at most --duration, and prints how long the",
    "answers took. It calls the first interface of the card, or the first that --transport and --a2a-version choose.",
    "Every message is a task that the agent keeps. With --stream it measures streams: their first event and their end.",
    "The exit code is 1 if no request was answered.",
  ],
  options: [...connectOptions, ...probeOptions, "requests", "concurrency", "duration", "stream"],
  examples: [
    'bench localhost:4100 --message "echo hello" --requests 1000 --concurrency 20',
    'bench localhost:4100 --message "stream 10 10" --stream --transport grpc -o json',
  ],
  run: async (invocation) =>
    withTarget(invocation, async ({ target, signal }) => {
      const { values, output, format, hint } = invocation;
      const [declared] = target.interfaces;
      if (declared === undefined) throw new UsageError("the card declares no interface", { hint });
      using session = await openSession(target, declared, { records: false });
      const { samples, elapsedMs } = await measureLoad(session, {
        requests: parseInRange("--requests", values.requests, hint, { min: 1, max: 100_000 }),
        concurrency: parseInRange("--concurrency", values.concurrency, hint, { min: 1, max: 256 }),
        durationMs: parseWait("--duration", values.duration, hint),
        message: values.message,
        streams: values.stream,
        signal,
      });
      signal.throwIfAborted();
      const answered = samples.filter(({ error }) => error === undefined);
      const times = answered.map(({ ms }) => ms);
      const errors: Record<string, number> = {};
      for (const { error } of samples) {
        if (error !== undefined) errors[error] = (errors[error] ?? 0) + 1;
      }
      const latencyMs = percentilesOf(times);
      const firstEventMs = percentilesOf(answered.flatMap(({ firstMs }) => firstMs ?? []));
      const perSecond = Math.round((answered.length / elapsedMs) * 10_000) / 10;
      const histogram = histogramOf(times);
      const result = {
        interface: labelOf(declared),
        url: declared.url,
        requests: samples.length,
        answered: answered.length,
        errors,
        elapsedMs: Math.round(elapsedMs),
        perSecond,
        ...(latencyMs !== undefined && { latencyMs }),
        ...(firstEventMs !== undefined && { firstEventMs }),
        histogram,
      };
      if (format === "json") writeDocument(output.stdout, result);
      else {
        const largest = Math.max(...histogram.map(({ count }) => count));
        const failed = Object.entries(errors).map(([code, count]) =>
          textLine("Error", `${code}: ${count}`),
        );
        const lines = [
          textLine("Interface", `${result.interface} at ${result.url}`),
          textLine(
            "Requests",
            `${samples.length} in ${(elapsedMs / 1000).toFixed(1)} s, ${perSecond} answered per second`,
          ),
          ...failed,
          ...(firstEventMs === undefined
            ? []
            : [textLine("First event", percentilesText(firstEventMs))]),
          ...(latencyMs === undefined ? [] : [textLine("Latency", percentilesText(latencyMs))]),
          ...histogram.map(({ fromMs, toMs, count }) =>
            textLine(`${fromMs}-${toMs} ms`, `${count} ${barOf(count, largest)}`.trimEnd()),
          ),
        ];
        output.stdout.write(lines.join(""));
      }
      return answered.length === 0 ? 1 : 0;
    }),
});

function percentilesText({ min, p50, p90, p95, p99, max }: Percentiles): string {
  return `min ${min}, p50 ${p50}, p90 ${p90}, p95 ${p95}, p99 ${p99}, max ${max} ms`;
}
