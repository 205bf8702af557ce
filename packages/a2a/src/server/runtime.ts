import { systemClock } from "../async/internal.js";
import { createInProcessBus } from "../bus/internal.js";
import { withDefaults } from "../options/internal.js";
import { A2AError, isTerminal } from "../protocol/internal.js";
import type { CallableService, MountableAgent } from "../protocol/internal.js";
import { isStoreFault } from "../store/internal.js";
import { platformCryptography } from "./cryptography.js";
import { LiveTasks } from "./log/live-tasks.js";
import { createIdMaker } from "./new-id.js";
import { createTaskLookup } from "./operations/task-lookup.js";
import { createTaskService } from "./operations/task-service.js";
import { PushDelivery } from "./push/push-delivery.js";
import { createPushOutbox } from "./push/push-outbox.js";
import type { PushOutbox } from "./push/push-outbox.js";
import type { Report, RunEnvironment } from "./run-environment.js";
import { Runner } from "./run/runner.js";
import type { WorkFigures } from "./run/runner.js";
import type { RuntimeOptions } from "./runtime-options.js";
import { checkRuntimeOptions } from "./runtime-rules.js";
import { defaultSettings } from "./settings.js";
import { Maintenance } from "./upkeep/maintenance.js";
import { NodeLease } from "./upkeep/node-lease.js";

/** What is at work and waiting on a node, at this moment, and what the node knows of its cluster. */
export interface RuntimeFigures extends WorkFigures {
  /** How many nodes of the agent have a lease, this one included, as of the last renewal. */
  readonly nodes: number;
  /** Whether an operator has asked this node to hand over its tasks. */
  readonly isDraining: boolean;
}

/** A service that runs an agent over a store. Servers mount it as it is. */
export interface Runtime extends CallableService, Required<MountableAgent>, AsyncDisposable {
  /** The operations alone, as servers mount them. */
  readonly service: CallableService;
  /** How many runs are at work and how many wait on this node, at this moment. */
  figures(): RuntimeFigures;
  /** This agent's waiting and failed push notifications, for operators. */
  readonly push: PushOutbox;
  /**
   * Refuses new work, gives runs time to finish (`stopGraceMs`), and leaves the rest to other nodes. Where there are other
   * nodes, they get the runs of a durable agent at once.
   */
  close(): Promise<void>;
}

/** Opens a runtime: takes a lease for this node and takes over the tasks of nodes that have died. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  checkRuntimeOptions(options);
  const { agent, store, clock = systemClock, address } = options;
  const { random = Math.random, crypto = platformCryptography } = options;
  const report = safely(options.report ?? reportToConsole);
  const { pushSender } = options;
  const newId = options.newId ?? createIdMaker(clock);
  const bus = options.bus ?? createInProcessBus();
  const settings = withDefaults(defaultSettings, options.settings);
  const node = newId();
  const lease = new NodeLease({
    environment: { store, bus, clock, settings, node, report },
    agent,
    address,
  });
  const nodes = (): number => lease.nodes;
  const pushes = { store, clock, settings, node, agent: agent.name, report, random, crypto, nodes };
  const delivery = pushSender && new PushDelivery({ ...pushes, sender: pushSender });
  const orphans = new Set<string>();
  const liveTasks = new LiveTasks({
    store,
    bus,
    clock,
    notifier: delivery,
    areAllHeard: () => lease.areAllHeard,
    wentBack({ identity, replica }, reason) {
      orphans.add(identity.taskId);
      // What has ended may be deleted.
      if (!isTerminal(replica.state)) report(reason, identity.publicId);
    },
  });
  const environment: RunEnvironment = {
    store,
    bus,
    clock,
    settings,
    newId,
    random,
    crypto,
    node,
    liveTasks,
    notifier: delivery,
    report,
    orphans,
  };
  const lookup = createTaskLookup(environment, agent.name);
  const runner = new Runner({ environment, agent, relatedTasks: lookup });
  const maintenance = new Maintenance(environment, { agent, runner, lease });
  const service = createTaskService({
    environment,
    agent,
    lookup,
    runner,
    pushSender,
  });
  await maintenance.start();
  delivery?.wake();

  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    await runner.stop(settings.stopGraceMs, maintenance.canHandOver);
    await maintenance.stop();
    liveTasks.close();
    try {
      // The lease has to outlive the last run.
      await store.releaseNode(node);
      bus.publishTopic("abandoned", agent.name);
    } finally {
      await delivery?.stop();
    }
  };
  /** Why this node is not ready, whatever its store says. */
  const checkWanted = (): void => {
    if (isClosing) throw notReady("stopping");
    if (lease.isDraining) throw notReady("draining: an operator has asked this node to stop");
    if (lease.isOver)
      throw notReady("no lease: the store has not renewed that of this node in time");
  };
  return {
    ...service,
    service,
    card: (interfaces) => agent.card(interfaces),
    methods: [...agent.methods.keys()],
    async check() {
      checkWanted();
      await store.check();
      // Much may have happened while the store was asked.
      checkWanted();
    },
    load: () => runner.load,
    figures: () => ({ ...runner.figures, nodes: lease.nodes, isDraining: lease.isDraining }),
    push: createPushOutbox({ store, clock, agent: agent.name, notifier: delivery }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function notReady(reason: string): A2AError {
  return new A2AError("UNAVAILABLE", reason);
}

/**
 * A report that throws: what it was about must not end the process, or keep a task from its end. A fault of the store
 * fails much at once, and the store has reported it.
 */
function safely(report: Report): Report {
  return (error, taskId, reference) => {
    if (isStoreFault(error)) return;
    try {
      report(error, taskId, reference);
    } catch (failure) {
      reportToConsole(error, taskId, reference);
      reportToConsole(failure, taskId, reference);
    }
  };
}

function reportToConsole(error: unknown, taskId: string, reference?: string): void {
  const mark = reference === undefined ? "" : ` (${reference})`;
  console.error(`task ${taskId}${mark}:`, error);
}
