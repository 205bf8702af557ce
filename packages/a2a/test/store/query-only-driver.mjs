/** libsql for a file that may be read and not written, as for a user who may not write it. */
import Database from "libsql";

export class DatabaseSync extends Database {
  constructor(path) {
    super(path);
    this.exec("PRAGMA query_only = ON");
  }
}
