import type { ComponentChild } from "preact";
import type { DeadLetters, DeadRequest } from "../../../contract/index.js";
import { formatCount, shortId } from "../../../model/index.js";
import { api } from "../../api/index.js";
import { href } from "../../router/route.js";
import { Button, Panel, Skeleton } from "../../ui/index.js";
import { ConfirmButton } from "./confirm-button.js";

/** Push notifications that were given up: sent again, or forgotten. */
export function DeadLettersPanel(props: {
  readonly dead: DeadLetters | undefined;
  readonly canOperate: boolean;
  readonly act: (work: Promise<unknown>) => void;
  readonly onMore: () => void;
}): ComponentChild {
  const { dead, canOperate, act } = props;
  if (dead === undefined) return <Skeleton lines={2} label="Loading dead letters" />;
  const { deliveries } = dead;
  const agents = [...new Set(deliveries.map(({ agent }) => agent))];
  const each = (action: "revive" | "discard"): Promise<unknown> =>
    Promise.all(agents.map((agent) => send(action, { agent })));
  return (
    <Panel
      title="Dead letters"
      tools={
        <>
          <span class="soft">
            {formatCount(deliveries.length)}
            {dead.next === undefined ? "" : " and more"}
          </span>
          {canOperate && deliveries.length > 0 ? (
            <>
              <Button testId="redeliver-all" onClick={() => act(each("revive"))}>
                Redeliver all
              </Button>
              <ConfirmButton
                label="Discard all"
                confirm="Discard every one"
                testId="discard-all"
                onConfirm={() => act(each("discard"))}
              />
            </>
          ) : null}
        </>
      }
      flush
    >
      {deliveries.length === 0 ? (
        <p class="panel-note">Every push notification has arrived, or is still being tried.</p>
      ) : (
        <div class="table-box">
          <table class="table task-table">
            <thead>
              <tr>
                <th scope="col">Task</th>
                <th scope="col">Agent</th>
                <th scope="col">Configuration</th>
                <th scope="col" class="number">
                  Entry
                </th>
                <th scope="col">Why it was given up</th>
                {canOperate ? (
                  <th scope="col">
                    <span class="unseen">Actions</span>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {deliveries.map(({ agent, taskId, configId, sequence, reason }) => {
                const request = { agent, delivery: { taskId, configId, sequence } };
                return (
                  <tr
                    key={`${taskId} ${configId} ${sequence}`}
                    data-testid="dead-letter"
                    data-task-id={taskId}
                    data-seq={sequence}
                  >
                    <td>
                      <a class="mono" href={href(["tasks", taskId], { seq: String(sequence) })}>
                        {shortId(taskId)}
                      </a>
                    </td>
                    <td class="cut">{agent}</td>
                    <td>
                      <code class="soft">{shortId(configId)}</code>
                    </td>
                    <td class="number">{sequence}</td>
                    <td class="reason">{reason}</td>
                    {canOperate ? (
                      <td class="table-tools">
                        <LetterTools request={request} act={act} />
                      </td>
                    ) : null}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {dead.next === undefined ? null : (
        <div class="more">
          <Button onClick={props.onMore}>Show more</Button>
        </div>
      )}
    </Panel>
  );
}

function LetterTools(props: {
  readonly request: DeadRequest;
  readonly act: (work: Promise<unknown>) => void;
}): ComponentChild {
  const { request, act } = props;
  return (
    <span class="toolbar">
      <Button testId="redeliver" onClick={() => act(send("revive", request))}>
        Redeliver
      </Button>
      <Button kind="quiet" testId="discard" onClick={() => act(send("discard", request))}>
        Discard
      </Button>
    </span>
  );
}

function send(action: "revive" | "discard", request: DeadRequest): Promise<unknown> {
  return api.post(`dead/${action}`, request);
}
