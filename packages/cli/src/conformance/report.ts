import { textLine } from "../output/text-form.js";
import type { ConformanceResult } from "./run-conformance.js";

/** Whether a result is a failure: a MUST that does not hold. A SHOULD is a warning. */
export function isFailure({ status, level }: ConformanceResult): boolean {
  return status === "fail" && level === "MUST";
}

/** A result as a line of text. */
export function resultLine(result: ConformanceResult): string {
  const { id, level, section, requirement, status, found } = result;
  const label = { pass: "Pass", fail: isFailure(result) ? "Fail" : "Warning", skip: "Skip" }[
    status
  ];
  const said = status === "pass" ? "" : ` ${requirement}`;
  return textLine(label, `${id} (${level}, §${section}):${said} Found: ${found}`);
}

/** How many results there are of each kind. */
export interface ConformanceCounts {
  readonly passed: number;
  readonly failed: number;
  readonly warnings: number;
  readonly skipped: number;
}

export function countResults(results: readonly ConformanceResult[]): ConformanceCounts {
  const failed = results.filter(isFailure).length;
  const count = (wanted: string): number =>
    results.filter(({ status }) => status === wanted).length;
  return {
    passed: count("pass"),
    failed,
    warnings: count("fail") - failed,
    skipped: count("skip"),
  };
}

function countsText({ passed, failed, warnings, skipped }: ConformanceCounts): string {
  return `${passed} passed, ${failed} failed, ${warnings} warnings, ${skipped} skipped`;
}

/** The table of interfaces at the end: a line for each, and one for all. */
export function summaryText(results: readonly ConformanceResult[]): string {
  const labels = [...new Set(results.map((one) => one.interface))];
  const lines = labels.map((label) =>
    textLine(
      "Total",
      `${label}: ${countsText(countResults(results.filter((one) => one.interface === label)))}`,
    ),
  );
  return [...lines, textLine("Result", countsText(countResults(results)))].join("");
}
