import { parseArgs } from "node:util";
import { openStore } from "@parley/a2a/node";
import { nodeTable } from "../cluster/node-table.js";
import { readNodes } from "../cluster/node-status.js";
import type { Command } from "../command.js";
import { UsageError } from "../usage-error.js";

const hint = "parley help cluster";

/** Shows the nodes that share a store. */
export const clusterCommand: Command = {
  usage: [
    "Usage: parley cluster status [--store URL] [--json]",
    "",
    "  --store URL  the store of the cluster: postgres://…, or the path of a SQLite file; default the",
    "               environment variable DATABASE_URL, else .parley/parley.db",
    "  --json       a list in JSON",
    "",
    "One line for each node, by slot: each agent of a server is a node. LEASE is how long the other nodes leave",
    "its tasks alone if it is silent from now on; TASKS are those at work under that lease. Writes nothing.",
    "",
    "Examples:",
    "  parley cluster status",
    "  parley cluster status --store postgres://db.example/tasks --json",
    "",
  ].join("\n"),
  async run(args, output) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { store: { type: "string" }, json: { type: "boolean", default: false } },
    });
    const [what, ...rest] = positionals;
    if (what !== "status" || rest.length > 0) {
      const given = positionals.length === 0 ? "nothing was given" : `not ${positionals.join(" ")}`;
      throw new UsageError(`cluster takes one word, status; ${given}`, { hint });
    }
    if (values.store === "") throw new UsageError("--store is empty; give a value", { hint });
    await using store = await openStore(values.store, { mustExist: true });
    const nodes = await readNodes(store);
    if (values.json) output.stdout.write(`${JSON.stringify(nodes, null, 2)}\n`);
    else if (nodes.length > 0) output.stdout.write(nodeTable(nodes));
    else output.stderr.write(`No node has a lease in ${store.description}\n`);
    return 0;
  },
};
