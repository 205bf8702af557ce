import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkServer, openDatabase } from "../../src/postgres/internal.js";
import { readTls, tlsPath } from "../support/files/tls.js";
import { findFreePort } from "../support/postgres/find-free-port.js";
import { findPostgres } from "../support/postgres/find-programs.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";
import { openReceiver } from "../support/servers/open-receiver.js";

/** What openDatabase and checkServer say of a URL; "fine" when they take it. */
async function tryOut(url: string, durability: "disk" | "process" = "disk"): Promise<string> {
  try {
    await using database = await openDatabase({ url });
    await checkServer(database, { schema: "parley", durability });
    return "fine";
  } catch (error) {
    const { message } = error as Error;
    expect(message).not.toContain("\n");
    expect(error).toMatchObject({ code: "UNAVAILABLE" });
    expect(JSON.stringify([message, error])).not.toContain("secret");
    return message;
  }
}

describe.each([15, 18] as const)("PostgreSQL %i", (version) => {
  const { isThere, name } = findPostgres(version);

  describe.skipIf(!isThere)(name, () => {
    let server: TestPostgres;

    beforeAll(async () => {
      const cert = readTls("localhost-cert").toString();
      const key = readTls("localhost-key").toString();
      server = await startPostgres({ version, tls: { cert, key } });
    });

    afterAll(() => server?.stop());

    const place = (database = "postgres", user = "parley") =>
      `cannot use the database 127.0.0.1:${server.port}/${database} as user "${user}": `;

    /** The URL of the server with other members. */
    const change = (
      members: Partial<Record<"password" | "username" | "pathname" | "search", string>>,
    ) => Object.assign(new URL(server.url), members).href;

    it("is taken as it is", async () => {
      expect(await tryOut(server.url)).toBe("fine");
    });

    it("is found by the PG* variables, and by DATABASE_URL before them", async () => {
      const { hostname, port, password } = new URL(server.url);
      const variables = {
        DATABASE_URL: "",
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: "parley",
        PGPASSWORD: decodeURIComponent(password),
        PGDATABASE: "template1",
        PGAPPNAME: "my agents",
      };
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
      try {
        await using database = await openDatabase();
        expect(database.description).toBe(`127.0.0.1:${port}/template1`);
        const text = "SELECT current_setting('application_name') AS name";
        expect(await database.read({ text })).toEqual([{ name: "my agents" }]);
        vi.stubEnv("DATABASE_URL", server.url);
        await using other = await openDatabase();
        expect(other.description).toBe(`127.0.0.1:${port}/postgres`);
      } finally {
        vi.unstubAllEnvs();
      }
    });

    it("is reached over a socket of the system", async () => {
      const { password } = new URL(server.url);
      const folder = dirname(server.dataFolder);
      const url = `postgres://parley:${password}@/postgres?host=${folder}&port=${server.port}`;
      await using database = await openDatabase({ url });
      expect(database.description).toBe(`${folder}:${server.port}/postgres`);
      const text = "SELECT inet_server_addr() AS address";
      expect(await database.read({ text })).toEqual([{ address: null }]);
    });

    it("is refused as a read-only standby", async () => {
      await server.restart({ isStandby: true });
      expect(await tryOut(server.url)).toBe(
        `${place()}it is a read-only standby; give the address of the primary, or promote this one`,
      );
      await server.restart({ isStandby: false });
    });

    it("refuses a wrong password and an unknown user", async () => {
      expect(await tryOut(change({ password: "top-secret" }))).toBe(
        `${place()}the server does not accept the password of "parley"; set it in the URL, in PGPASSWORD or in .pgpass`,
      );
      expect(await tryOut(change({ username: "ada" }))).toContain(
        `${place("postgres", "ada")}the server does not accept the password of "ada"`,
      );
      expect(await tryOut(change({ password: "" }))).toContain(
        'the server asks for the password of "parley"; set it',
      );
    });

    it("refuses an unknown database", async () => {
      expect(await tryOut(change({ pathname: "/tasks" }))).toBe(
        `${place("tasks")}there is no database "tasks"; create it with \`createdb tasks\`, or name another one in the URL`,
      );
    });

    it("is refused where a power failure loses what was acknowledged, unless that is accepted", async () => {
      await server.restart({ settings: { fsync: "off" } });
      expect(await tryOut(server.url)).toBe(
        `${place()}fsync is off, so that a power failure destroys it; set fsync = on in postgresql.conf, or accept the loss with durability: "process"`,
      );
      expect(await tryOut(server.url, "process")).toBe("fine");
      await server.restart({ settings: { fsync: "on" } });
      await server.run("ALTER ROLE parley SET synchronous_commit = off");
      expect(await tryOut(server.url)).toContain(`${place()}synchronous_commit is off, so that`);
      expect(await tryOut(server.url, "process")).toBe("fine");
      await server.run("ALTER ROLE parley RESET synchronous_commit");
    });

    it("is refused where the user may not make the schema, or not use it", async () => {
      await server.run("CREATE ROLE guest LOGIN PASSWORD 'a secret'");
      const url = new URL(await server.createDatabase());
      const owner = url.href;
      Object.assign(url, { username: "guest", password: "a secret" });
      const database = url.pathname.slice(1);
      expect(await tryOut(url.href)).toBe(
        `${place(database, "guest")}there is no schema "parley", and this user may not create it; run \`CREATE SCHEMA "parley" AUTHORIZATION "guest"\` as the owner of the database`,
      );
      await server.run("CREATE SCHEMA parley", owner);
      expect(await tryOut(url.href)).toBe(
        `${place(database, "guest")}this user may not use the schema "parley"; run \`GRANT USAGE, CREATE ON SCHEMA "parley" TO "guest"\` as its owner`,
      );
      await server.run("GRANT USAGE, CREATE ON SCHEMA parley TO guest", owner);
      expect(await tryOut(url.href)).toBe("fine");
    });

    it("is refused where it takes no writes or has another encoding", async () => {
      const url = await server.createDatabase();
      const database = new URL(url).pathname.slice(1);
      await server.run(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
      expect(await tryOut(url)).toContain(
        `${place(database)}it takes no writes (default_transaction_read_only is on); turn that off`,
      );
      await server.run("CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'");
      expect(await tryOut(change({ pathname: "/ascii" }))).toContain(
        `${place("ascii")}its encoding is SQL_ASCII; create a database with ENCODING 'UTF8'`,
      );
    });

    it.each([
      ["", true],
      ["?sslmode=disable", false],
      ["?sslmode=prefer", true],
      ["?sslmode=require", true],
      ["?ssl=true", true],
      [`?sslmode=verify-full&sslrootcert=${tlsPath("localhost-cert")}`, true],
    ])("is spoken to with %j, over TLS: %j", async (search, isEncrypted) => {
      await using database = await openDatabase({ url: change({ search }) });
      const text = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
      expect(await database.read({ text })).toEqual([{ ssl: isEncrypted }]);
    });

    it("is refused with a certificate that nobody trusts, or that is for another host", async () => {
      expect(await tryOut(change({ search: "?sslmode=verify-full" }))).toMatch(
        /its certificate is not trusted \(.+\); name the authority in sslrootcert$/,
      );
      const other = `sslrootcert=${tlsPath("example-cert")}`;
      // With an authority, `require` checks the certificate, as libpq does.
      expect(await tryOut(change({ search: `?sslmode=require&${other}` }))).toContain(
        "its certificate is not trusted",
      );
    });
  });
});

describe("what is no PostgreSQL server", () => {
  const example = "write it as postgres://user:password@host:5432/database";

  it.each([
    ["mysql://ada:secret@localhost/x", "begins with mysql: and has to begin with postgres://"],
    ["ada:secret@localhost/x", "begins with ada: and has to begin with postgres://"],
    ["localhost", "begins with none of these and has to begin with postgres://"],
    ["postgres://ada:sec/ret@secret:host/x", "is not a valid URL"],
    ["postgres://ada:secret@localhost:99999/x", "is not a valid URL"],
  ])("has a URL that is refused: %s", async (url, problem) => {
    const message = await tryOut(url);
    expect(message).toContain(`the URL of the database ${problem}`);
    expect(message).toContain(example);
  });

  it("is refused where nothing listens, and where the host is unknown", async () => {
    const port = await findFreePort();
    expect(await tryOut(`postgres://ada:secret@127.0.0.1:${port}/x`)).toBe(
      `cannot use the database 127.0.0.1:${port}/x as user "ada": nothing listens there; check host and port, and that the server runs`,
    );
    expect(await tryOut("postgres://ada:secret@nowhere.invalid/x")).toMatch(
      /^cannot use the database nowhere\.invalid:5432\/x as user "ada": the host name nowhere\.invalid /,
    );
    expect(await tryOut("postgres://ada:secret@/x?host=/nowhere")).toContain(
      '/nowhere:5432/x as user "ada": there is no such socket',
    );
  });

  it("is refused where another program listens", async () => {
    await using receiver = await openReceiver();
    const { port } = new URL(receiver.url);
    expect(await tryOut(`postgres://ada:secret@127.0.0.1:${port}/x`)).toContain(
      `cannot use the database 127.0.0.1:${port}/x as user "ada": `,
    );
  });

  it.each([
    ["sslmode=requir", 'sslmode is "requir"; did you mean require?'],
    [
      "sslmode=verify-ca&sslrootcert=/nowhere.pem",
      "sslrootcert names /nowhere.pem, which cannot be read (ENOENT)",
    ],
  ])("has TLS settings that are refused: %s", async (search, problem) => {
    expect(await tryOut(`postgres://ada:secret@localhost/x?${search}`)).toContain(problem);
  });
});
