/** A process that holds the right to write to a database until it is told to let go. */
import { once } from "node:events";
import process from "node:process";
import Database from "libsql";

const database = new Database(process.argv[2]);
database.exec("BEGIN IMMEDIATE");
process.stdout.write("locked\n");
await once(process.stdin, "data");
database.exec("ROLLBACK");
database.close();
process.stdin.destroy();
