import { isFailure } from "./report.js";
import type { ConformanceResult } from "./run-conformance.js";

/** The results as JUnit's XML, which build servers read: a suite for each interface, a case for each requirement. */
export function junitXml(agent: string, results: readonly ConformanceResult[]): string {
  const labels = [...new Set(results.map((one) => one.interface))];
  const suites = labels.map((label) => {
    const own = results.filter((one) => one.interface === label);
    return [
      `  <testsuite ${attributes({ name: label, ...counts(own) })}>`,
      ...own.map(testCase),
      "  </testsuite>",
    ].join("\n");
  });
  const name = `A2A conformance of ${agent}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ name, ...counts(results) })}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function counts(results: readonly ConformanceResult[]): Readonly<Record<string, number>> {
  const skipped = results.filter(({ status }) => status === "skip").length;
  const ms = results.reduce((sum, one) => sum + one.ms, 0);
  return {
    tests: results.length,
    failures: results.filter(isFailure).length,
    skipped,
    time: ms / 1000,
  };
}

function testCase(result: ConformanceResult): string {
  const { id, level, section, requirement, status, found, ms } = result;
  const given = attributes({
    classname: `${result.interface} ${level}`,
    name: `${id} (§${section})`,
    time: ms / 1000,
  });
  const body = {
    pass: "",
    skip: `<skipped ${attributes({ message: found })}/>`,
    fail: isFailure(result)
      ? `<failure ${attributes({ message: requirement })}>${escapeXml(found)}</failure>`
      : `<system-out>${escapeXml(`${requirement} Found: ${found}`)}</system-out>`,
  }[status];
  return `    <testcase ${given}>${body}</testcase>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(" ");
}

/** Escapes what XML does not allow, and leaves out what it cannot even escape. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
