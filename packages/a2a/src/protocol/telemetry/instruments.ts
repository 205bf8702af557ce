import type { Instrument } from "./metrics.js";
import { attribute } from "../tracing/names.js";

/** What stands for every value that has no series of its own. */
export const otherValue = "_OTHER";

/** From a millisecond to five minutes. */
const seconds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
];

const { method, version, binding, outcome, reason, store, bus } = attribute;
const { errorType: error, agentName: agent, taskState: state, dbOperation: operation } = attribute;

type Named = readonly [name: string, description: string, ...attributes: string[]];

const counter = (unit: string, [name, description, ...attributes]: Named): Instrument => ({
  name,
  kind: "counter",
  unit,
  description,
  attributes,
});

const gauge = (unit: string, [name, description, ...attributes]: Named): Instrument => ({
  name,
  kind: "gauge",
  unit,
  description,
  attributes,
});

const duration = ([name, description, ...attributes]: Named): Instrument => ({
  name,
  kind: "histogram",
  unit: "s",
  description,
  attributes,
  bounds: seconds,
});

type InstrumentKey =
  | "serverRequests"
  | "serverDuration"
  | "serverStreams"
  | "firstEvent"
  | "clientRequests"
  | "clientDuration"
  | "taskCreated"
  | "taskEnded"
  | "taskDuration"
  | "taskAbandoned"
  | "taskOrphaned"
  | "runActive"
  | "runQueued"
  | "runLimit"
  | "runSuspended"
  | "runDuration"
  | "runRecovered"
  | "eventAppended"
  | "appendBatch"
  | "appendDuration"
  | "appendRefused"
  | "wakeupDelay"
  | "busConnected"
  | "busLost"
  | "pollFound"
  | "leaseRemaining"
  | "leaseSpan"
  | "leaseTakeovers"
  | "leaseFenced"
  | "clusterNodes"
  | "clockOffset"
  | "pushWaiting"
  | "pushDead"
  | "pushAttempts"
  | "pushDelay"
  | "storeDuration"
  | "storeConnections"
  | "ready"
  | "logged"
  | "seriesDropped"
  | "loopDelay"
  | "loopUtilization"
  | "heapUsed"
  | "heapLimit"
  | "residentMemory";

/** Everything that Parley measures. `docs/observability.md` lists it, and a test compares the two. */
export const instruments: Readonly<Record<InstrumentKey, Instrument>> = {
  serverRequests: counter("{request}", [
    "a2a.server.requests",
    "Calls that were answered, or refused before they reached an agent, in which case the method is _OTHER",
    method,
    version,
    binding,
    error,
  ]),
  serverDuration: duration([
    "a2a.server.request.duration",
    "Time from a call to its answer, or to the end of its stream",
    method,
    binding,
  ]),
  serverStreams: gauge("{stream}", [
    "a2a.server.active_streams",
    "Streams that are open",
    method,
    binding,
  ]),
  firstEvent: duration([
    "a2a.server.stream.first_event",
    "Time from a call to the first event of its stream",
    method,
    binding,
  ]),
  clientRequests: counter("{request}", [
    "a2a.client.requests",
    "Calls that were made to other agents",
    method,
    version,
    binding,
    error,
  ]),
  clientDuration: duration([
    "a2a.client.request.duration",
    "Time from a call of another agent to its answer, or to the end of its stream",
    method,
    binding,
  ]),
  taskCreated: counter("{task}", [
    "parley.task.created",
    "Tasks that this node has created",
    agent,
  ]),
  taskEnded: counter("{task}", [
    "parley.task.ended",
    "Tasks that this node has brought to an end",
    agent,
    state,
  ]),
  taskDuration: duration([
    "parley.task.duration",
    "Time from the creation of a task to its end, waits for its caller included",
    agent,
    state,
  ]),
  taskAbandoned: gauge("{task}", [
    "parley.task.abandoned",
    "Active tasks that name a node without a lease, and wait for a node to take them over",
    agent,
  ]),
  taskOrphaned: gauge("{task}", [
    "parley.task.orphaned",
    "Tasks that this node holds and does not work on, because an answer of the store was lost",
    agent,
  ]),
  runActive: gauge("{run}", ["parley.run.active", "Runs that work on a task", agent]),
  runQueued: gauge("{run}", ["parley.run.queued", "Runs that wait for a slot", agent]),
  runLimit: gauge("{run}", ["parley.run.limit", "Runs that may work on a task at once", agent]),
  runSuspended: gauge("{run}", [
    "parley.run.suspended",
    "Handlers that wait in memory for an answer",
    agent,
  ]),
  runDuration: duration([
    "parley.run.duration",
    "Time that a handler worked, from its start or from an answer to its end or next question",
    agent,
  ]),
  runRecovered: counter("{run}", [
    "parley.run.recovered",
    "Runs that were begun again after a crash or a lost write: resumed, failed, or not possible",
    agent,
    outcome,
  ]),
  eventAppended: counter("{event}", [
    "parley.event.appended",
    "Entries that this node has written to logs of tasks",
    store,
  ]),
  appendBatch: {
    name: "parley.append.batch_size",
    kind: "histogram",
    unit: "{event}",
    description: "Entries that one append writes",
    attributes: [store],
    bounds: [1, 2, 4, 8, 16, 32, 64],
  },
  appendDuration: duration(["parley.append.duration", "Time from an append to its commit", store]),
  appendRefused: counter("{append}", [
    "parley.append.refused",
    "Appends that the store did not take: conflict, fenced, ended, quota, or failed",
    store,
    reason,
  ]),
  wakeupDelay: duration([
    "parley.wakeup.delay",
    "Time from the commit of an entry on another node until this node has read it",
    bus,
  ]),
  busConnected: gauge("{connection}", [
    "parley.bus.connected",
    "1 while wake-ups of other nodes arrive, else 0",
    agent,
    bus,
  ]),
  busLost: counter("{loss}", [
    "parley.bus.lost",
    "How often wake-ups may have been lost",
    agent,
    bus,
  ]),
  pollFound: counter("{event}", [
    "parley.poll.found",
    "Entries that a poll has found, of which no wake-up had told",
    bus,
  ]),
  leaseRemaining: gauge("s", [
    "parley.lease.remaining",
    "How long other nodes still leave the tasks of this node alone",
    agent,
  ]),
  leaseSpan: gauge("s", ["parley.lease.span", "How long a lease lasts when it was renewed", agent]),
  leaseTakeovers: counter("{task}", [
    "parley.lease.takeovers",
    "Tasks that this node has taken over from nodes that died or handed them over",
    agent,
  ]),
  leaseFenced: counter("{append}", [
    "parley.lease.fenced",
    "Writes that were refused because another node has taken over the task",
    agent,
  ]),
  clusterNodes: gauge("{node}", [
    "parley.cluster.nodes",
    "Nodes of the agent that have a lease, as this node knows",
    agent,
  ]),
  clockOffset: gauge("s", [
    "parley.clock.offset",
    "How far this node's clock is ahead of the store's",
    agent,
  ]),
  pushWaiting: gauge("{notification}", [
    "parley.push.waiting",
    "Push notifications that wait to be sent; one node of the agent reads it",
    agent,
  ]),
  pushDead: gauge("{notification}", [
    "parley.push.dead",
    "Push notifications that were given up; one node of the agent reads it",
    agent,
  ]),
  pushAttempts: counter("{attempt}", [
    "parley.push.attempts",
    "Attempts to send a push notification: arrived, failed, or buried",
    agent,
    outcome,
  ]),
  pushDelay: duration([
    "parley.push.delay",
    "Time from an event until its push notification has arrived",
    agent,
  ]),
  storeDuration: duration([
    "db.client.operation.duration",
    "Time that an operation of the store takes",
    operation,
  ]),
  storeConnections: gauge("{connection}", [
    "db.client.connection.count",
    "Connections to the database, and those who wait for one (pending)",
    attribute.connection,
  ]),
  ready: gauge("{server}", ["parley.ready", "1 while the server takes calls, else 0"]),
  logged: counter("{line}", [
    "parley.log.lines",
    "Events of the log by their level",
    attribute.level,
  ]),
  seriesDropped: gauge("{series}", [
    "parley.metrics.dropped",
    "Series that were counted together with others, because there were too many",
  ]),
  loopDelay: gauge("s", [
    "nodejs.eventloop.delay.p99",
    "The delay of the event loop that one turn in a hundred exceeds, over the last 15 s",
  ]),
  loopUtilization: gauge("1", [
    "nodejs.eventloop.utilization",
    "The share of the last 15 s in which the event loop worked",
  ]),
  heapUsed: gauge("By", ["v8js.memory.heap.used", "Memory of JavaScript objects"]),
  heapLimit: gauge("By", ["v8js.memory.heap.limit", "How much memory JavaScript objects may take"]),
  residentMemory: gauge("By", ["process.memory.usage", "Memory of the process (RSS)"]),
};
