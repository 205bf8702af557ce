import type { MountedAgent, MountTable } from "../binding/internal.js";
import type { Authenticator, Credentials, Principal } from "../protocol/internal.js";

/** A caller that may call. */
export interface Admitted {
  /** Who has admitted it; nobody where anyone may call. */
  readonly auth: Authenticator | undefined;
  /** Absent for a caller that may stay anonymous. */
  readonly principal: Principal | undefined;
}

const anyone: Admitted = { auth: undefined, principal: undefined };

/** Decides which callers may call, before their messages are read. */
export class Admission {
  /** One agent for each authenticator. */
  readonly #doors: readonly MountedAgent[];

  constructor({ points }: MountTable) {
    const agents = points.flatMap((point) => point.agents);
    this.#doors = agents.filter(
      ({ auth }, index) => agents.findIndex((one) => one.auth === auth) === index,
    );
  }

  /** The agent that stands for all of them; none where they differ in their callers. */
  get common(): MountedAgent | undefined {
    return this.#doors.length === 1 ? this.#doors[0] : undefined;
  }

  /** Admits a caller of an agent. Rejects with what refuses it. */
  async admit({ auth }: MountedAgent, credentials: Credentials): Promise<Admitted> {
    if (auth === undefined) return anyone;
    return { auth, principal: await auth.authenticate(credentials) };
  }

  /** Admits a caller of any agent. Rejects with what refuses it at the last one. */
  async admitToAny(credentials: Credentials): Promise<Admitted> {
    let refusal: unknown;
    for (const agent of this.#doors) {
      try {
        return await this.admit(agent, credentials);
      } catch (error) {
        refusal = error;
      }
    }
    throw refusal;
  }
}
