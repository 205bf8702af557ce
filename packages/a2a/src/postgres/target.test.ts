import pg from "pg";
import { describe, expect, test } from "vitest";
import { parseTarget } from "./target.js";

const base = "postgres://ada:secret@db.example:6432/tasks";

test.each([
  [base, "db.example:6432/tasks", "ada"],
  ["postgresql://ada@db.example/tasks?application_name=x", "db.example:5432/tasks", "ada"],
  ["postgres://ada@[::1]:5433/tasks", "[::1]:5433/tasks", "ada"],
  ["postgres://ada@%2Frun%2Fpg/tasks", "/run/pg:5432/tasks", "ada"],
  ["postgres://ada@/tasks?host=/run/pg", "/run/pg:5432/tasks", "ada"],
  ["postgres://ada:x,y@one,two:6432/tasks", "one:5432,two:6432/tasks", "ada"],
])("%s names a place", (url, description, user) => {
  expect(parseTarget(pg, url, {})).toMatchObject({ description, user });
});

test("DATABASE_URL stands in for a URL, unless it is empty, and no message shows its password", () => {
  expect(parseTarget(pg, undefined, { DATABASE_URL: base }).description).toBe(
    "db.example:6432/tasks",
  );
  const refused = () => parseTarget(pg, undefined, { DATABASE_URL: "http://ada:secret@x" });
  expect(refused).toThrow(/^DATABASE_URL begins with http: and has to begin with postgres:\/\//);
  expect(refused).not.toThrow("secret");
  expect(() => parseTarget(pg, undefined, { DATABASE_URL: "" })).not.toThrow();
});

test("the schema is that of the URL, else parley, and no server hears of it", () => {
  expect(parseTarget(pg, base, {}).schema).toBe("parley");
  const { schema, places } = parseTarget(pg, `${base}?schema=blue&application_name=x`, {});
  expect([schema, places[0]?.config.connectionString]).toEqual([
    "blue",
    `${base}?application_name=x`,
  ]);
  expect(() => parseTarget(pg, `${base}?schema=`, {})).toThrow(
    "the URL of the database has schema= without a name; write schema=NAME or leave it out",
  );
});

test("PGHOST and PGPORT may name several servers", () => {
  const one = parseTarget(pg, undefined, { PGHOST: "one,two", PGPORT: "1111" });
  expect(one.description).toMatch(/^one:1111,two:1111\//);
  const two = parseTarget(pg, undefined, { PGHOST: "one,two", PGPORT: "1111,2222" });
  expect(two.description).toMatch(/^one:1111,two:2222\//);
});

describe("TLS", () => {
  const tlsOf = (url: string, env: Record<string, string> = {}) =>
    parseTarget(pg, url, env).places[0]?.tls ?? [];
  const attempts = (query: string, env: Record<string, string> = {}) =>
    tlsOf(`${base}${query}`, env).map((tls) =>
      tls === false ? "plain" : tls.rejectUnauthorized === false ? "unchecked" : "checked",
    );

  test.each([
    ["", ["unchecked", "plain"]],
    ["?sslmode=prefer", ["unchecked", "plain"]],
    ["?sslmode=disable", ["plain"]],
    ["?ssl=0", ["plain"]],
    ["?sslmode=require", ["unchecked"]],
    ["?ssl=true", ["unchecked"]],
    ["?sslnegotiation=direct", ["unchecked"]],
    ["?sslmode=no-verify", ["unchecked"]],
    ["?sslmode=verify-ca", ["checked"]],
    ["?sslmode=verify-full", ["checked"]],
    ["?sslmode=require&sslrootcert=system", ["checked"]],
  ])("of %j is tried in this order: %j", (query, expected) => {
    expect(attempts(query)).toEqual(expected);
  });

  test("is what the URL says, and then what PGSSLMODE says", () => {
    expect(attempts("", { PGSSLMODE: "verify-full" })).toEqual(["checked"]);
    expect(attempts("?sslmode=disable", { PGSSLMODE: "verify-full" })).toEqual(["plain"]);
    expect(attempts("", { PGSSLMODE: "" })).toEqual(["unchecked", "plain"]);
  });

  test("is not spoken over a socket of the system", () => {
    expect(tlsOf("postgres://ada@/tasks?host=/run/pg&sslmode=require")).toEqual([false]);
  });

  test("checks the name of the host with verify-full only", () => {
    const [full] = tlsOf(`${base}?sslmode=verify-full`);
    const [authority] = tlsOf(`${base}?sslmode=verify-ca`);
    expect(full).not.toHaveProperty("checkServerIdentity");
    expect(authority).toHaveProperty("checkServerIdentity");
  });
});
