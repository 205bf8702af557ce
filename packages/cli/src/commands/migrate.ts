import process from "node:process";
import { parseArgs } from "node:util";
import type { Command } from "../command.js";
import { UsageError } from "../usage-error.js";

const hint = "parley help migrate";

/** Brings the schema of a PostgreSQL database up to date. */
export const migrateCommand: Command = {
  usage: [
    "Usage: parley migrate [--store URL] [--schema NAME] [--dry-run]",
    "",
    "  --store URL    the database, postgres://…; default the environment variable DATABASE_URL",
    "  --schema NAME  the schema of the tables, default that of ?schema= in the URL, else parley",
    "  --dry-run      say what would be done, and change nothing",
    "",
    "Servers do the same when they start. Run it before an upgrade if their user may not change the schema. Servers",
    "of the version before go on working with the new schema.",
    "",
    "Example:",
    "  parley migrate --store postgres://db.example/tasks",
    "",
  ].join("\n"),
  async run(args, output) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        store: { type: "string" },
        schema: { type: "string" },
        "dry-run": { type: "boolean", default: false },
      },
    });
    const url = values.store ?? process.env["DATABASE_URL"] ?? "";
    const name = values.store === undefined ? "DATABASE_URL" : "--store";
    if (url === "") {
      const message = "there is no database to migrate; give one with --store or DATABASE_URL";
      throw new UsageError(message, { hint });
    }
    if (!/^postgres(?:ql)?:/i.test(url)) {
      const message = `${name} must be postgres://…; a SQLite file is brought up to date when a server opens it`;
      throw new UsageError(message, { hint });
    }
    if (values.schema === "") throw new UsageError("--schema is empty; give a value", { hint });
    const isDryRun = values["dry-run"];
    const { migratePostgres } = await import("@parley/a2a/store/postgres");
    const { from, to, steps } = await migratePostgres({
      url,
      isDryRun,
      ...(values.schema !== undefined && { schema: values.schema }),
    });
    if (steps.length === 0) {
      output.stdout.write(`The schema is up to date: version ${to}\n`);
      return 0;
    }
    const done = isDryRun ? "would go" : "went";
    output.stdout.write(`The schema ${done} from version ${from} to ${to}:\n`);
    for (const step of steps) output.stdout.write(isDryRun ? `${step}\n` : `${titleOf(step)}\n`);
    return 0;
  },
};

/** The comment with which the statements of a version begin. */
function titleOf(step: string): string {
  return step.split("\n", 1)[0] ?? "";
}
