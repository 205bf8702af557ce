import type { Command } from "../command.js";
import { serveUsage } from "../serve/usage.js";
import { serveCommand } from "./serve.js";

/** `parley serve` under the name that the public specification of command lines has for it. */
export const demoServerCommand: Command = {
  usage: serveUsage.replaceAll("parley serve [MODULE]", "parley demo-server"),
  run: (args, output) => serveCommand.run(args, output),
};
