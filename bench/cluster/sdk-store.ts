import { Task, TaskState } from "a2a-sdk-1.0";
import type { ListTasksRequest, ListTasksResponse } from "a2a-sdk-1.0";
import type { ServerCallContext, TaskStore } from "a2a-sdk-1.0/server";
import type { Raw, RawRow } from "./pg.js";

const key = ["tenant", "owner", "id"];
const replaceable = [
  "context_id",
  "status_last_updated",
  "status_state",
  "status",
  "artifacts",
  "history",
  "metadata",
  "protocol_version",
];
const columns = [...key, ...replaceable];

/** The table and the indexes that the SDK's `a2a-db` makes. */
export const sdkTables = `
  CREATE TABLE tasks (tenant varchar(255) COLLATE "C" NOT NULL, owner varchar(255) COLLATE "C" NOT NULL,
    id varchar(36) COLLATE "C" NOT NULL, context_id varchar(36) COLLATE "C" NOT NULL,
    status_last_updated bigint NOT NULL, status_state varchar(255) COLLATE "C", status text,
    artifacts text, history text, metadata text, protocol_version varchar(255),
    PRIMARY KEY (tenant, owner, id));
  CREATE INDEX tasks_scope_updated_idx ON tasks (tenant, owner, status_last_updated, id);
  CREATE INDEX tasks_scope_context_updated_idx
    ON tasks (tenant, owner, context_id, status_last_updated, id)`;

/** Whom the SDK files the tasks of unauthenticated callers under. */
export const sdkScope: readonly string[] = ["default", "unknown"];

/**
 * What the SDK's `DatabaseTaskStore` does on PostgreSQL: the same table and the same statements, sent by `pg` itself. The
 * original builds them with the package kysely, which is not installed; what that costs is left out in the SDK's favour.
 */
export class SdkStore implements TaskStore {
  readonly #database: Raw;

  constructor(database: Raw) {
    this.#database = database;
  }

  async save(task: Task, _context: ServerCallContext): Promise<void> {
    const { status, artifacts, history, metadata } = Task.toJSON(task) as Record<string, unknown>;
    const encode = (value: unknown): string | null =>
      value === undefined ? null : JSON.stringify(value);
    const changing = [
      task.contextId,
      Date.parse(task.status?.timestamp ?? "") || 0,
      task.status === undefined ? null : TaskState[task.status.state],
      encode(status),
      encode(artifacts),
      encode(history),
      encode(metadata),
      "1.0",
    ];
    const values = [...sdkScope, task.id, ...changing];
    const places = values.map((_, index) => `$${index + 1}`).join(", ");
    const changes = replaceable.map((name, index) => `${name} = $${values.length + index + 1}`);
    await this.#database.query({
      text: `INSERT INTO tasks (${columns.join(", ")}) VALUES (${places})
        ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${changes.join(", ")}`,
      values: [...values, ...changing],
    });
  }

  async load(taskId: string, _context: ServerCallContext): Promise<Task | undefined> {
    const [row] = await this.#database.query({
      text: `SELECT ${columns.join(", ")} FROM tasks WHERE tenant = $1 AND owner = $2 AND id = $3`,
      values: [...sdkScope, taskId],
    });
    return row && decode(row);
  }

  async list({ pageSize = 50 }: ListTasksRequest, _context: unknown): Promise<ListTasksResponse> {
    const [counted] = await this.#database.query({
      text: "SELECT count(*) AS total FROM tasks WHERE tenant = $1 AND owner = $2",
      values: sdkScope,
    });
    const rows = await this.#database.query({
      text: `SELECT ${columns.filter((name) => name !== "artifacts").join(", ")} FROM tasks
        WHERE tenant = $1 AND owner = $2 ORDER BY status_last_updated DESC, id DESC LIMIT $3`,
      values: [...sdkScope, pageSize + 1],
    });
    const tasks = rows.slice(0, pageSize).map(decode);
    return { tasks, nextPageToken: "", pageSize, totalSize: Number(counted?.["total"]) };
  }
}

function decode(row: RawRow): Task {
  const read = (name: string): unknown =>
    typeof row[name] === "string" ? (JSON.parse(row[name]) as unknown) : undefined;
  return Task.fromJSON({
    id: row["id"],
    contextId: row["context_id"],
    status: read("status"),
    artifacts: read("artifacts"),
    history: read("history"),
    metadata: read("metadata"),
  });
}
