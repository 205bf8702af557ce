import { readFile, stat } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { openStore } from "@parley/a2a/node";
import type { InspectorOptions } from "@parley/inspector";
import type { Command } from "../command.js";
import { offerLinks } from "../inspect/offer-links.js";
import { parseInRange } from "../options/parse-in-range.js";
import { waitForStop } from "../serve/wait-for-stop.js";
import { UsageError } from "../usage-error.js";

const hint = "parley help inspect";

/** The largest recording that is opened. */
const maxRecordingBytes = 512 * 1024 * 1024;

/** Opens the inspector. */
export const inspectCommand: Command = {
  usage: [
    "Usage: parley inspect [URL] [--port N] [--host ADDRESS]",
    "       parley inspect --store PLACE [--port N] [--host ADDRESS]",
    "       parley inspect FILE [--port N]",
    "",
    "  URL             the agent to look at, of any version: a host, its URL, or the URL of its card",
    "  --store PLACE   the store whose tasks to look at, without a server: postgres://…, or the path of a SQLite file",
    "  FILE            a recording that the inspector has saved, whose name ends in .jsonl; calls nobody",
    "  --port N        the port of the inspector; default 4180, 0 is any that is free",
    "  --host ADDRESS  the address to listen on; default 127.0.0.1, which only this machine reaches. Any other",
    "                  needs a key in the environment variable PARLEY_INSPECTOR_KEY, which the page asks for",
    "",
    "Prints a link to a web page that talks to the agent and shows everything that goes over the wire, or shows the tasks of",
    "the store: what works, what waits and what is stuck. The link works once, within five minutes; Enter prints a new",
    "one. Runs until it is stopped. Secrets that you enter stay in this process.",
    "",
    "Examples:",
    "  parley inspect http://localhost:4100",
    "  parley inspect --store .parley/parley.db",
    "",
  ].join("\n"),
  async run(args, output) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: "string", default: "4180" },
        host: { type: "string", default: "127.0.0.1" },
        store: { type: "string" },
      },
    });
    const [target, ...rest] = positionals;
    if (rest.length > 0 || (target !== undefined && values.store !== undefined)) {
      throw new UsageError("inspect takes one agent, one file or one store", { hint });
    }
    if (values.store === "") throw new UsageError("--store is empty; give a value", { hint });
    const port = parseInRange("--port", values.port, hint, { min: 0, max: 65_535 });
    const key = process.env["PARLEY_INSPECTOR_KEY"];
    await using store =
      values.store === undefined ? undefined : await openStore(values.store, { mustExist: true });
    const options: InspectorOptions = {
      host: values.host,
      port,
      ...(key !== undefined && { key }),
      ...(store !== undefined && { store }),
      ...(target !== undefined && (await lookAt(target))),
    };
    const { createInspector } = await import("@parley/inspector");
    const inspector = await asUsage(async () => createInspector(options).open());
    await using _ = inspector;
    // Before it is said that the inspector runs: whoever reads that may stop it at once.
    const stopped = waitForStop();
    using __ = offerLinks(output, inspector);
    await stopped;
    return 0;
  },
};

/** What an argument names: a recording, or an agent. */
async function lookAt(target: string): Promise<Pick<InspectorOptions, "url" | "recording">> {
  if (!target.endsWith(".jsonl")) return { url: target };
  const found = await stat(target).catch((cause: unknown) => {
    throw new UsageError(`there is no file ${target} that can be read`, { hint, cause });
  });
  if (found.size > maxRecordingBytes) {
    throw new UsageError(`${target} has more than ${maxRecordingBytes} bytes`, { hint });
  }
  const recording = await readFile(target, "utf8");
  if (!recording.startsWith('{"kind":"recording"')) {
    throw new UsageError(`${target} is no recording of the inspector`, { hint });
  }
  return { recording };
}

async function asUsage<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (cause) {
    const message = (cause as Error).message.replace("createInspector(): ", "");
    throw new UsageError(message, { hint, cause });
  }
}
