#!/usr/bin/env node
// npm links this file when it installs, which in a clone is before the compiler writes dist/.
import { existsSync } from "node:fs";

const main = new URL("../dist/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write("parley is not compiled yet; run: npm run build\n");
  process.exitCode = 1;
}
