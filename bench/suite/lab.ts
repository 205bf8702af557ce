import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../start-server.js";
import type { PostgresServer } from "../start-server.js";
import type { SubjectOptions } from "../subjects/subject.js";
import { progress } from "../measure.js";
import { Generator } from "./generator.js";
import { Subject } from "./subject.js";

/** What a series measures with. It ends what the series has started. */
export class Lab implements AsyncDisposable {
  /** A quick run shows that everything works. Its numbers tell nothing. */
  readonly isQuick: boolean;
  readonly rounds: number;
  readonly generator: Generator = new Generator();
  readonly #folder: string;
  readonly #subjects: Subject[] = [];
  #files = 0;
  #postgres: PostgresServer | undefined;

  private constructor(isQuick: boolean, folder: string) {
    this.isQuick = isQuick;
    this.rounds = isQuick ? 2 : 7;
    this.#folder = folder;
  }

  static async open(isQuick: boolean): Promise<Lab> {
    return new Lab(isQuick, await mkdtemp(join(tmpdir(), "parley-bench-")));
  }

  /** Starts a server or a client. */
  async open(kind: string, options: SubjectOptions = {}): Promise<Subject> {
    const subject = await Subject.open(kind, options);
    this.#subjects.push(subject);
    return subject;
  }

  /** Ends a server or a client before the series does. */
  async close(subject: Subject): Promise<void> {
    if (subject.port !== undefined) await this.generator.forget(subject);
    await subject[Symbol.asyncDispose]();
    const place = this.#subjects.indexOf(subject);
    if (place >= 0) this.#subjects.splice(place, 1);
  }

  /**
   * Waits until a server on SQLite has found out that no other process shares its file, which takes it 20 seconds. Until
   * then it tells the others of its tasks, through a file.
   */
  async untilAlone({ openedAt }: Subject): Promise<void> {
    await sleep(Math.max(0, openedAt + this.ms(21_000) - performance.now()));
  }

  /** The path of a file that is not there yet. */
  newFile(): string {
    this.#files += 1;
    return join(this.#folder, `${this.#files}.db`);
  }

  /** The URL of an empty database; `undefined` where PostgreSQL cannot be started. */
  async newDatabase(): Promise<string | undefined> {
    try {
      this.#postgres ??= await startPostgres();
      return await this.#postgres.createDatabase();
    } catch (error) {
      progress(`without PostgreSQL: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** How long something takes that takes so long in a full run. */
  ms(full: number): number {
    return this.isQuick ? full / 10 : full;
  }

  /** How many there are of something of which a full run has so many. */
  count(full: number): number {
    return this.isQuick ? Math.ceil(full / 20) : full;
  }

  /**
   * Measures all sides in turns, so that a busy machine slows all, and in the opposite order every other round. Warms each
   * up before.
   */
  async inTurns<Side extends string>(
    sides: Readonly<Record<Side, () => Promise<number>>>,
    { rounds = this.rounds, warmUps = 2 }: { rounds?: number; warmUps?: number } = {},
  ): Promise<Record<Side, number[]>> {
    const names = Object.keys(sides) as Side[];
    const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
      Side,
      number[]
    >;
    for (let round = -(this.isQuick ? Math.min(warmUps, 1) : warmUps); round < rounds; round += 1) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const value = await sides[name]();
        if (round >= 0) values[name].push(value);
      }
    }
    return values;
  }

  /** Ends what is open, for the next series. */
  async clear(): Promise<void> {
    while (this.#subjects[0] !== undefined) await this.close(this.#subjects[0]);
    await rm(this.#folder, { recursive: true, force: true });
    const { mkdir } = await import("node:fs/promises");
    await mkdir(this.#folder, { recursive: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.clear();
    await this.generator[Symbol.asyncDispose]();
    await this.#postgres?.[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
