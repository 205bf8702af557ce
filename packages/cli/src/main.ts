#!/usr/bin/env node
import { runCli } from "./run-cli.js";

// A reader that has read enough, such as `head`, ends the command without a word.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

process.exitCode = await runCli(process.argv.slice(2), process);
