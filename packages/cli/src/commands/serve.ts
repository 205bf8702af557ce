import type { Command } from "../command.js";
import { parseFlags } from "../serve/flags.js";
import { isWatched } from "../serve/wait-for-stop.js";
import { serveUsage } from "../serve/usage.js";

/** Serves agents until the process receives SIGINT or SIGTERM. */
export const serveCommand: Command = {
  usage: serveUsage,
  async run(args, output) {
    const { flags, modules } = parseFlags(args);
    if (flags.watch && modules.length > 0 && !isWatched()) {
      const { watchModule } = await import("../serve/watch/watch-module.js");
      return watchModule(args, output);
    }
    const { runServer } = await import("../serve/run-server.js");
    await runServer(flags, modules, output);
    return 0;
  },
};
