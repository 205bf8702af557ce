import type { JsonValue } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Delivery } from "../../../contract/index.js";
import { formatBytes, formatClock, shortId } from "../../../model/index.js";
import { href } from "../../router/route.js";
import { Button, CheckLines, Chip, JsonView } from "../../ui/index.js";

/** One notification that has arrived: whether it is what it says, in order, and what it says. */
export function DeliveryCard({ delivery }: { readonly delivery: Delivery }): ComponentChild {
  const [isOpen, setOpen] = useState(!delivery.isVerified);
  const { id, at, taskId, sequence, isVerified, order, answered, forwarded } = delivery;
  return (
    <li
      class="delivery"
      data-testid="delivery"
      data-verified={String(isVerified)}
      data-order={order}
      data-task-id={taskId}
    >
      <div class="row">
        <Chip tone={isVerified ? "done" : "failed"}>
          {isVerified ? "Verified" : "Not verified"}
        </Chip>
        {order === "gap" ? <Chip tone="waiting">A later one came first</Chip> : null}
        {order === "repeat" ? <Chip tone="waiting">Came before</Chip> : null}
        <span class="soft number">
          {id} · {formatClock(at)}
        </span>
        {taskId === undefined ? null : (
          <a
            class="mono"
            href={href(["tasks", taskId], sequence === undefined ? {} : { seq: String(sequence) })}
          >
            {shortId(taskId)}
            {sequence === undefined ? "" : ` at ${sequence}`}
          </a>
        )}
        <span class="soft push-right">
          {answered === "hung" ? "hung" : `answered ${answered}`}
          {forwarded === undefined
            ? ""
            : `, forwarded: ${forwarded.status ?? forwarded.error ?? "failed"}`}
          , {formatBytes(delivery.body.length)}
        </span>
        <Button kind="quiet" expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Less" : "More"}
        </Button>
      </div>
      {isOpen ? (
        <div class="delivery-body">
          <section class="stack-tight">
            <h3 class="label">Check</h3>
            <CheckLines lines={delivery.checks} />
          </section>
          <section class="stack-tight">
            <h3 class="label">Body</h3>
            <Body text={delivery.body} />
            <details>
              <summary>Headers, {delivery.headers.length}</summary>
              <dl class="facts headers">
                {delivery.headers.map(([name, value], index) => (
                  <div key={index} class="header">
                    <dt class="mono">{name}</dt>
                    <dd class="mono">{value}</dd>
                  </div>
                ))}
              </dl>
            </details>
          </section>
        </div>
      ) : null}
    </li>
  );
}

function Body({ text }: { readonly text: string }): ComponentChild {
  const json = useMemo(() => parsed(text), [text]);
  return json === undefined ? (
    <pre class="code" data-wrap="" tabIndex={0}>
      {text.slice(0, 20_000)}
    </pre>
  ) : (
    <JsonView value={json} label="Body of the delivery" foldBelow={4} />
  );
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
