import { readFileSync, writeFileSync } from "node:fs";
import type { Operation, ProtocolVersion } from "@parley/a2a";

const readme = new URL("../../../../README.md", import.meta.url);

/** An operation that the protocol itself defines. */
export type TableOperation = Exclude<Operation, "callMethod">;

/** What the README calls each operation, in its order. */
export const columns: Readonly<Record<TableOperation, string>> = {
  sendMessage: "send",
  sendStreamingMessage: "stream",
  getTask: "get",
  listTasks: "list",
  cancelTask: "cancel",
  subscribeToTask: "subscribe",
  createTaskPushNotificationConfig: "push set",
  getTaskPushNotificationConfig: "push get",
  listTaskPushNotificationConfigs: "push list",
  deleteTaskPushNotificationConfig: "push delete",
  getExtendedAgentCard: "extended card",
};

const bindingNames = { JSONRPC: "JSON-RPC", "HTTP+JSON": "HTTP+JSON", GRPC: "gRPC" } as const;

type BindingName = keyof typeof bindingNames;

/** An interface that a version defines, and that server and client speak. */
export interface Row {
  readonly version: ProtocolVersion;
  readonly binding: BindingName;
}

const bindings = Object.keys(bindingNames) as readonly BindingName[];

/** The rows in the README's order. 0.1 has JSON-RPC only. */
export const rows: readonly Row[] = [
  ...(["1.0", "0.3", "0.2"] as const).flatMap((version) =>
    bindings.map((binding) => ({ version, binding })),
  ),
  { version: "0.1", binding: "JSONRPC" },
];

const operations = Object.keys(columns) as readonly TableOperation[];

/** What works, and what the version does not define. */
export type Mark = "✓" | "–";

export function keyOf({ version, binding }: Row, operation: TableOperation): string {
  return `${version} ${binding} ${operation}`;
}

/** The table as the README has it: every line of it, and the mark of every cell by its key. */
export function readTable(): {
  readonly lines: readonly string[];
  readonly marks: ReadonlyMap<string, string>;
} {
  const text = readFileSync(readme, "utf8").split("\n");
  const start = text.findIndex((line) => line.startsWith("| version "));
  const lines = text.slice(start, text.indexOf("", start));
  const marks = new Map<string, string>();
  for (const [index, row] of rows.entries()) {
    const cells = cellsOf(lines[index + 2] ?? "");
    for (const [column, operation] of operations.entries()) {
      marks.set(keyOf(row, operation), cells[column + 2] ?? "");
    }
  }
  return { lines, marks };
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The lines of a table with these marks. */
export function printTable(marks: ReadonlyMap<string, string>): readonly string[] {
  const table = [
    ["version", "binding", ...Object.values(columns)],
    ...rows.map((row) => [
      row.version,
      bindingNames[row.binding],
      ...operations.map((operation) => marks.get(keyOf(row, operation)) ?? ""),
    ]),
  ];
  const widths = table[0]?.map((_, column) =>
    Math.max(...table.map((row) => widthOf(row[column]))),
  );
  const print = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = table;
  const rule = head.map((_, column) => "-".repeat(widths?.[column] ?? 0));
  return [print(head), print(rule), ...body.map(print)];
}

function widthOf(cell: string | undefined): number {
  return Math.max(3, cell?.length ?? 0);
}

/** Replaces the table in the README. */
export function writeTable(marks: ReadonlyMap<string, string>): void {
  const text = readFileSync(readme, "utf8").split("\n");
  const start = text.findIndex((line) => line.startsWith("| version "));
  text.splice(start, text.indexOf("", start) - start, ...printTable(marks));
  writeFileSync(readme, text.join("\n"));
}
