import { textLine } from "../output/text-form.js";
import type { Diagnosis, Verdict } from "@parley/inspector/probe";

const labels: Readonly<Record<Verdict, string>> = {
  ok: "Ok",
  warn: "Warning",
  error: "Error",
  skipped: "Skipped",
};

/** A diagnosis as lines of text: the verdict, and what to change. */
export function diagnosisText({ verdict, check, found, fix }: Diagnosis): string {
  return (
    textLine(labels[verdict], `${check}: ${found}`) +
    (fix === undefined ? "" : textLine("Fix", fix))
  );
}

/** How many diagnoses there are of each kind. */
export function countVerdicts(diagnoses: readonly Diagnosis[]): Readonly<Record<Verdict, number>> {
  const count = (wanted: Verdict): number =>
    diagnoses.filter(({ verdict }) => verdict === wanted).length;
  return { error: count("error"), warn: count("warn"), ok: count("ok"), skipped: count("skipped") };
}

/** The last line: how many of each kind. */
export function resultText(diagnoses: readonly Diagnosis[]): string {
  const { error, warn, ok, skipped } = countVerdicts(diagnoses);
  const errors = error === 1 ? "1 error" : `${error} errors`;
  const warnings = warn === 1 ? "1 warning" : `${warn} warnings`;
  return textLine("Result", `${errors}, ${warnings}, ${ok} ok, ${skipped} skipped`);
}
