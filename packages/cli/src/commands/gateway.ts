import type { Command } from "../command.js";
import { parseFlags } from "../serve/flags.js";
import { UsageError } from "../usage-error.js";

/** Serves another agent: `parley serve --a2a` under a name of its own. */
export const gatewayCommand: Command = {
  usage: `Usage: parley gateway REFERENCE [options]

Serves another agent, of any version, in every version and at an address of its own: the same as
\`parley serve --a2a REFERENCE\`. It takes the options of \`parley serve\`, such as --port, --key and --header, but for
those that say what is served.

Example:
  parley gateway https://agents.example.com --port 4300
`,
  async run(args, output) {
    const { flags, modules } = parseFlags(args);
    const [reference, ...others] = modules;
    if (reference === undefined || others.length > 0) {
      const message = `gateway takes one agent; ${modules.length === 0 ? "none was" : `${modules.length} were`} given`;
      throw new UsageError(message, { hint: "parley help gateway" });
    }
    const { runServer } = await import("../serve/run-server.js");
    await runServer({ ...flags, a2a: reference }, [], output);
    return 0;
  },
};
