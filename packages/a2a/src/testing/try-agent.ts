import { createInProcessBus } from "../bus/internal.js";
import type { Principal } from "../protocol/internal.js";
import type { Agent, RuntimeOptions } from "../server/internal.js";
import { createMemoryStore } from "../store/memory/internal.js";
import { createTestClock } from "./create-test-clock.js";
import { TrialTalk } from "./talk.js";
import type { Said, SaidWith, Talk } from "./talk.js";
import { openTrialNode } from "./trial-node.js";
import type { TrialWorld } from "./trial-node.js";

/** How an agent is tried. */
export interface TrialOptions {
  /** The settings of the runtime, where they differ from those of a trial. */
  readonly settings?: RuntimeOptions["settings"];
  /** Who calls the agent; an anonymous caller when absent. */
  readonly caller?: Principal;
  /** How long, in real time, a trial waits before it says what it waited for. Default: 5000. */
  readonly patienceMs?: number;
}

/** Something that the agent, or the runtime, reported to the operator. */
export interface TrialReport {
  readonly error: unknown;
  readonly taskId: string;
}

/** An agent at work in this process, over a store in memory, under a clock that the test moves. */
export interface Trial extends AsyncDisposable {
  /** What was reported to the operator, in order. */
  readonly reports: readonly TrialReport[];
  /** Sends a message that begins a conversation. Resolves once the agent has replied or made a task. */
  send(message: Said, options?: SaidWith): Promise<Talk>;
  /**
   * Kills the node as `kill -9` does, lets its lease end, and opens another one over the same store. Handlers of the
   * killed node stay where they are: what they await of their context never comes.
   */
  crash(): Promise<void>;
  /** Closes the node and opens another one over the same store, with other code if it is given. */
  redeploy(edited?: Agent): Promise<void>;
  /** Lets time pass until handlers that wait for answers are dropped from memory: their answers begin them again. */
  evict(): Promise<void>;
  /** Moves the clock of the runtime: leases, pauses before retries, deadlines. Timers of the handler's own run in real time. */
  advance(durationMs: number): Promise<void>;
  /** Closes the node. Closing again does nothing. */
  close(): Promise<void>;
}

/** Waiting handlers are dropped after a minute, so that `evict` is quick. */
const trialSettings = { leaseMs: 4000, stopGraceMs: 1000, suspendForMs: 60_000 };

/**
 * Tries out an agent in a test: talks to it, answers its questions, and sees whether it comes through crashes,
 * new code and eviction. Everything is in this process; nothing needs a port, a file or real time.
 *
 * @example
 * await using trial = await tryAgent(travelAgent);
 * const talk = await trial.send("A trip to Japan");
 * expect(await talk.question()).toBe("When?");
 * await trial.crash();
 * await talk.answer("In May");
 * expect(await talk.text()).toContain("Tokyo");
 */
export async function tryAgent(agent: Agent, options: TrialOptions = {}): Promise<Trial> {
  const { patienceMs = 5000, caller } = options;
  const clock = createTestClock(undefined, afterTimers);
  const reports: TrialReport[] = [];
  const settings = { ...trialSettings, ...options.settings };
  const world: TrialWorld = {
    store: createMemoryStore({ clock }),
    bus: createInProcessBus(),
    clock,
    settings,
    report: (error, taskId) => reports.push({ error, taskId }),
  };
  const talks: TrialTalk[] = [];
  let code = agent;
  let node = await openTrialNode(code, world);
  let isOpen = true;

  const check = (): void => {
    if (!isOpen) throw new Error("the trial is closed; open another with tryAgent()");
  };
  const close = async (): Promise<void> => {
    const closing = node.service.close();
    await clock.advance(settings.stopGraceMs);
    await closing;
  };
  const reopen = async (): Promise<void> => {
    node = await openTrialNode(code, world);
    for (const talk of talks) talk.follow();
  };
  const end = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    for (const talk of talks) talk.close();
    await close();
  };

  return {
    reports,
    async send(message, options) {
      check();
      const talk = await TrialTalk.begin(
        {
          service: () => node.service,
          call: { version: "1.0", ...(caller !== undefined && { principal: caller }) },
          patienceMs,
          reportsOf: (taskId) =>
            reports.flatMap((report) => (report.taskId === taskId ? [report.error] : [])),
        },
        message,
        options,
      );
      talks.push(talk);
      return talk;
    },
    async crash() {
      check();
      // What is under way comes as far as it can, so that a trial is the same each time.
      await clock.advance(0);
      node.kill();
      await clock.advance(settings.leaseMs);
      await reopen();
    },
    async redeploy(edited = code) {
      check();
      await close();
      code = edited;
      await reopen();
    },
    async evict() {
      check();
      await clock.advance(settings.suspendForMs + 1);
    },
    async advance(durationMs) {
      check();
      await clock.advance(durationMs);
    },
    close: end,
    [Symbol.asyncDispose]: end,
  };
}

/** Waits for a timer of the system: handlers take as many turns of the event loop as they need before it fires. */
function afterTimers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
