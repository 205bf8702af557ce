import { taskStates } from "@parley/a2a";
import type { TaskState } from "@parley/a2a";
import type { ComponentChild } from "preact";
import type { Overview } from "../../../contract/index.js";
import { formatCount, nameOfState } from "../../../model/index.js";
import { href } from "../../router/route.js";
import { Mark, Panel, stateLook, VisibleName } from "../../ui/index.js";

/** States in the order of a task's life. */
const order: readonly TaskState[] = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
];

/** How many tasks are in each state, each a link to them. */
export function StateCounts({ overview }: { readonly overview: Overview }): ComponentChild {
  const countOf = (state: TaskState): number =>
    overview.agents.reduce((sum, { counts }) => sum + (counts[state] ?? 0), 0);
  return (
    <ul class="counts" aria-label="Tasks by state">
      {order
        .filter((state) => countOf(state) > 0 || !rare.has(state))
        .map((state) => {
          const { tone, shape } = stateLook(state);
          return (
            <li key={state}>
              <a
                class="count"
                href={href(["tasks"], { state })}
                data-zero={countOf(state) === 0 ? "" : undefined}
              >
                <span class="count-number">{formatCount(countOf(state))}</span>
                <span class="count-word">
                  <Mark tone={tone} {...(shape === undefined ? {} : { shape })} />
                  {nameOfState(state)}
                </span>
              </a>
            </li>
          );
        })}
    </ul>
  );
}

const rare: ReadonlySet<TaskState> = new Set([
  "TASK_STATE_AUTH_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_CANCELED",
]);

/** Each agent: its tasks, how busy it is, and its notifications. */
export function AgentsPanel({ overview }: { readonly overview: Overview }): ComponentChild {
  const hasRuns = overview.agents.some(({ runs }) => runs !== undefined);
  return (
    <Panel title="Agents" flush>
      <div class="table-box" tabIndex={0} role="group" aria-label="Agents">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col" class="number">
                Tasks
              </th>
              {hasRuns ? <th scope="col">Runs</th> : null}
              <th scope="col" class="number">
                Queued runs
              </th>
              <th scope="col" class="number">
                Push waiting
              </th>
              <th scope="col" class="number">
                Push given up
              </th>
            </tr>
          </thead>
          <tbody>
            {overview.agents.map(({ name, counts, runs, push }) => (
              <tr key={name}>
                <td>
                  <a href={href(["tasks"], { agent: name })}>
                    <VisibleName name={name} />
                  </a>
                </td>
                <td class="number">
                  {formatCount(taskStates.reduce((sum, state) => sum + (counts[state] ?? 0), 0))}
                </td>
                {hasRuns ? (
                  <td>
                    {runs === undefined ? null : (
                      <span class="row">
                        <meter
                          class="gauge"
                          min={0}
                          max={runs.limit}
                          value={runs.active}
                          aria-label={`Runs of ${name}`}
                        />
                        <span class="number">
                          {formatCount(runs.active)} of {formatCount(runs.limit)}
                        </span>
                      </span>
                    )}
                  </td>
                ) : null}
                <td class="number">{runs === undefined ? "" : formatCount(runs.queued)}</td>
                <td class="number">{formatCount(push.waiting)}</td>
                <td class="number">{formatCount(push.buried)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
