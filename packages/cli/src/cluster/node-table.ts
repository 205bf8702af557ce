import type { NodeStatus } from "./node-status.js";

const columns: readonly (readonly [title: string, cell: (node: NodeStatus) => string])[] = [
  ["SLOT", ({ slot }) => String(slot)],
  ["NODE", ({ node }) => node],
  ["AGENT", ({ agent }) => agent],
  ["REVISION", ({ revision }) => revision],
  ["VERSION", ({ version }) => version],
  ["ADDRESS", ({ address }) => address ?? "-"],
  ["LEASE", ({ isLive, leaseLeftMs }) => (isLive ? `${(leaseLeftMs / 1000).toFixed(1)}s` : "over")],
  ["DRAINING", ({ isDraining }) => (isDraining ? "yes" : "no")],
  ["TASKS", ({ tasks }) => String(tasks)],
];

/** Nodes as a table, one line each after the titles. */
export function nodeTable(nodes: readonly NodeStatus[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...nodes.map((node) => columns.map(([, cell]) => printable(cell(node)))),
  ];
  const widths = columns.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

/** A cell on one line, without what would steer a terminal: other nodes have written it. */
function printable(text: string): string {
  return text === "" ? "-" : text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}
