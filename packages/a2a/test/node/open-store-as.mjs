/** A process that opens a store as another user, or under another umask, and says what came of it. */
import process from "node:process";
import { openSqliteStore } from "@parley/a2a/store/sqlite";

const [, , path, user, umask] = process.argv;
process.umask(Number.parseInt(umask, 8));
// The driver is loaded first: the other user may not see it.
await (await openSqliteStore({ path: `${path}.first` })).close();
if (user !== "") {
  process.setgid(Number(user));
  process.setuid(Number(user));
}
try {
  const store = await openSqliteStore({ path });
  await store.renewNode("n1", 1000, { agent: "a", revision: "1", version: "1" });
  process.stdout.write("opened\n");
  process.kill(process.pid, "SIGKILL");
} catch (error) {
  process.stdout.write(`${error.code}: ${error.message}\n`);
}
