import process from "node:process";
import { createLog, openAuditLog, serve } from "@parley/a2a/node";
import type { CommandOutput } from "../command.js";
import { offerLinks } from "../inspect/offer-links.js";
import { announce } from "./announce.js";
import { readCallers } from "./callers.js";
import { explain } from "./explain.js";
import type { ServeFlags } from "./flags.js";
import { openBackend } from "./open-backend.js";
import { readLogOptions, readServerOptions } from "./server-options.js";
import { withTaskLog } from "./task-log.js";
import { isWatched, waitForStop } from "./wait-for-stop.js";
import type { WatchedMessage } from "./watch/watched-message.js";

/** Serves what a command line says until the process is asked to stop. Then runs may finish, within bounds. */
export async function runServer(
  flags: ServeFlags,
  modules: readonly string[],
  output: CommandOutput,
): Promise<void> {
  // Where there are changes to come, nobody waits for long.
  const stopGraceSeconds = isWatched() ? "1" : "10";
  const options = await readServerOptions(flags, stopGraceSeconds);
  const callers = await readCallers(flags, process.env["PARLEY_API_KEY"]);
  const { auth } = callers;
  const backend = await openBackend({
    flags,
    modules,
    isAuthenticated: auth !== undefined,
    onFile: (file) => tell({ file }),
  });
  const { settings = {}, example } = backend;
  const { stderr } = output;
  const isOwn = stderr === process.stderr;
  const log = createLog({
    ...readLogOptions(flags),
    ...(!isOwn && { write: (line: string) => void stderr.write(`${line}\n`) }),
  });
  const agents = withTaskLog(backend.agents, { log });
  const { "audit-log": auditPath, strict } = flags;
  await using audit = auditPath === undefined ? undefined : await openAuditLog(auditPath);
  await using server = await serve(agents, {
    ...options,
    telemetry: { log },
    settings: { ...settings, ...options.settings },
    ...(auth !== undefined && { auth }),
    ...(audit !== undefined && { audit }),
  }).catch((error: unknown) => {
    throw explain(error);
  });
  // Before it is said that the server runs: whoever reads that may stop it at once.
  const stopped = waitForStop();
  const { port, grpcAddress } = server;
  tell({ port, ...(grpcAddress !== undefined && { grpcAddress }) });
  output.stdout.write(announce({ server, agents, callers, strict, example }));
  using _ = server.inspector && offerLinks(output, server.inspector);
  await stopped;
}

/** Tells the process that watches this one, if there is one. */
function tell(message: WatchedMessage): void {
  if (isWatched()) process.send?.(message);
}
