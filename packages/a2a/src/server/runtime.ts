import { systemClock } from "../async/internal.js";
import { createInProcessBus } from "../bus/internal.js";
import { withDefaults } from "../options/internal.js";
import { A2AError, isTerminal } from "../protocol/internal.js";
import { consoleLog, withFields } from "../protocol/telemetry/internal.js";
import type { CallableService, Log, MountableAgent } from "../protocol/internal.js";
import { reportTo, safely } from "./create-report.js";
import { platformCryptography } from "./cryptography.js";
import { CommitSpans } from "./log/commit-spans.js";
import { LiveTasks } from "./log/live-tasks.js";
import { measureRuntime } from "./measure/measure-runtime.js";
import { measuredStore } from "./measure/measured-store.js";
import { createMeters, kindOf } from "./meters.js";
import { createIdMaker } from "./new-id.js";
import { createTaskLookup } from "./operations/task-lookup.js";
import { createTaskService } from "./operations/task-service.js";
import { PushDelivery } from "./push/push-delivery.js";
import { createPushOutbox } from "./push/push-outbox.js";
import type { PushOutbox } from "./push/push-outbox.js";
import { PushSpans } from "./push/push-spans.js";
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
  /** Whether other nodes leave the tasks of this node alone. */
  readonly hasLease: boolean;
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
  const { agent, clock = systemClock, address } = options;
  const { random = Math.random, crypto = platformCryptography } = options;
  const { pushSender, telemetry = {} } = options;
  const { metrics } = telemetry;
  const newId = options.newId ?? createIdMaker(clock);
  const bus = options.bus ?? createInProcessBus();
  const store =
    metrics === undefined ? options.store : measuredStore(options.store, metrics, agent.name);
  const settings = withDefaults(defaultSettings, options.settings);
  const node = newId();
  const log = withFields(telemetry.log ?? defaultLog(options), { agent: agent.name, node });
  const report = safely(reportAlso(options.report, telemetry.log && log) ?? reportTo(log));
  const lease = new NodeLease({
    environment: { store, bus, clock, settings, node, report, log },
    agent,
    address,
  });
  const meters =
    metrics &&
    createMeters(metrics, {
      agent: agent.name,
      bus: kindOf(bus.description),
      aheadMs: () => lease.offsetMs,
    });
  const nodes = (): number => lease.nodes;
  const { tracer } = telemetry;
  const spans = tracer && new PushSpans(tracer);
  const shared = { store, clock, settings, node, report, random, crypto, log, meters };
  const pushes = { ...shared, agent: agent.name, nodes, spans };
  const delivery = pushSender && new PushDelivery({ ...pushes, sender: pushSender });
  const stopHearing = bus.onLost(() => {
    if (!bus.isConnected) meters?.busLost();
  });
  const orphans = new Set<string>();
  let slot: number | undefined;
  const liveTasks = new LiveTasks({
    store,
    bus,
    clock,
    notifier: delivery,
    commits: tracer && new CommitSpans(tracer, { store: store.description, clock }),
    meters,
    areAllHeard: () => lease.areAllHeard,
    wentBack({ identity, replica }, reason) {
      orphans.add(identity.taskId);
      // What has ended may be deleted.
      if (isTerminal(replica.state)) return;
      log("error", "task.lost", { taskId: identity.publicId, err: reason });
      options.report?.(reason, identity.publicId);
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
    telemetry,
    slot: () => slot,
    log,
    meters,
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
  if (tracer !== undefined) {
    slot = (await store.listNodes()).find((one) => one.node === node)?.slot;
  }
  delivery?.wake();
  const stopMeasuring = measureAll({ lease, runner, orphans });

  /** Shows what this node does, where somebody counts. */
  function measureAll(
    parts: Pick<Parameters<typeof measureRuntime>[0], "lease" | "runner" | "orphans">,
  ): (() => void) | undefined {
    if (metrics === undefined) return undefined;
    const engines = { store: options.store, bus, clock, node, agent: agent.name };
    return measureRuntime({ ...parts, ...engines, metrics, pushes: delivery !== undefined });
  }

  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    stopMeasuring?.();
    stopHearing();
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
    if (isClosing) throw notReady("draining", "stopping");
    if (lease.isDraining) throw notReady("draining", "an operator has asked this node to stop");
    if (lease.isOver)
      throw notReady("lease", "the store has not renewed this node's lease in time");
  };
  /** What is not as it should be, although this node answers calls. */
  const warnings = (): Readonly<Record<string, string>> => ({
    ...(!bus.isConnected && {
      bus: "wake-ups of other nodes do not arrive; this node looks for changes every second",
    }),
    ...(lease.isLate && {
      lease: `renewed more than half its span ago; ${Math.round(lease.remainingMs / 1000)} s are left`,
    }),
    ...(lease.isSkewed && {
      clock: `${Math.abs(lease.offsetMs)} ms ${lease.offsetMs > 0 ? "ahead of" : "behind"} the store's`,
    }),
  });
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
    warnings,
    figures: () => ({
      ...runner.figures,
      nodes: lease.nodes,
      hasLease: !lease.isOver,
      isDraining: lease.isDraining,
    }),
    push: createPushOutbox({ store, clock, agent: agent.name, notifier: delivery }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function notReady(check: string, reason: string): A2AError {
  return new A2AError("UNAVAILABLE", reason, { details: { metadata: { check } } });
}

/** Reports to a program and, where it has a log too, to that. */
function reportAlso(report: Report | undefined, log: Log | undefined): Report | undefined {
  if (report === undefined) return undefined;
  const toLog = log && reportTo(log);
  return (error, taskId, reference, call) => {
    toLog?.(error, taskId, reference, call);
    report(error, taskId, reference);
  };
}

/** A program that takes reports, and has no log, wants nothing on its console. */
function defaultLog({ report }: RuntimeOptions): Log {
  return report === undefined ? consoleLog : () => undefined;
}
