import "./push.css";
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type {
  Problem,
  Receiver,
  ReceiverBehaviour,
  ReceiverRequest,
} from "../../../contract/index.js";
import { formatCount } from "../../../model/index.js";
import { api, onFeed, problemOf } from "../../api/index.js";
import { announce } from "../../state/announce.js";
import { deliveries, loadPushes, rememberToken } from "../../state/pushes.js";
import {
  Button,
  Choice,
  EmptyState,
  ErrorBox,
  Field,
  PaneHead,
  Panel,
  Skeleton,
} from "../../ui/index.js";
import { DeliveryCard } from "./delivery-card.js";

/** The receiver of push notifications: its address, how it answers, and what has arrived. */
export function Screen(): ComponentChild {
  const [receiver, setReceiver] = useState<Receiver>();
  const arrived = deliveries.value;
  const [problem, setProblem] = useState<Problem>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    Promise.all([api.get<Receiver>("receiver", { signal }), loadPushes()]).then(
      ([read]) => {
        setReceiver(read);
        setProblem(undefined);
      },
      (error: unknown) => signal.aborted || setProblem(problemOf(error)),
    );
    const off = onFeed((items) => {
      const count = items.filter(({ kind }) => kind === "delivery").length;
      if (count > 0) announce(`${count} push notifications arrived`);
    });
    return () => {
      stop.abort();
      off();
    };
  }, [turn]);
  const change = (request: ReceiverRequest): void => {
    if (request.token !== undefined) rememberToken(request.token);
    api
      .post<Receiver>("receiver", request)
      .then(setReceiver, (error: unknown) => setProblem(problemOf(error)));
  };
  const unverified = arrived.filter(({ isVerified }) => !isVerified).length;
  return (
    <>
      <PaneHead title="Push">
        <span class="soft">
          {receiver === undefined ? "" : `${formatCount(arrived.length)} arrived`}
          {unverified > 0 ? `, ${formatCount(unverified)} not verified` : ""}
        </span>
      </PaneHead>
      <div class="pane-body">
        <div class="measure stack">
          {problem === undefined ? null : (
            <ErrorBox problem={problem} onRetry={() => setTurn(turn + 1)} />
          )}
          {receiver === undefined ? (
            problem === undefined ? (
              <Skeleton label="Loading the receiver" />
            ) : null
          ) : (
            <ReceiverPanel receiver={receiver} onChange={change} />
          )}
          {receiver === undefined ? null : arrived.length === 0 ? (
            <EmptyState title="Nothing has arrived yet">
              Send a message with <em>Notify the receiver</em>, among the options of the chat. Or
              give an agent this address as a push configuration of a task: with{" "}
              <code>parley task push-config create</code>, or in code.
            </EmptyState>
          ) : (
            <ol class="cards deliveries" aria-label="Deliveries, newest first">
              {arrived.toReversed().map((delivery) => (
                <DeliveryCard key={delivery.id} delivery={delivery} />
              ))}
            </ol>
          )}
        </div>
      </div>
    </>
  );
}

const behaviours: readonly {
  readonly key: string;
  readonly label: string;
  readonly value: ReceiverBehaviour;
}[] = [
  { key: "200", label: "200, takes it", value: 200 },
  { key: "410", label: "410, gone for good", value: 410 },
  { key: "429", label: "429, too many", value: 429 },
  { key: "500", label: "500, broken", value: 500 },
  { key: "hang", label: "Hangs, no answer", value: "hang" },
];

function ReceiverPanel(props: {
  readonly receiver: Receiver;
  readonly onChange: (request: ReceiverRequest) => void;
}): ComponentChild {
  const { receiver, onChange } = props;
  const [forward, setForward] = useState(receiver.forwardTo ?? "");
  const [token, setToken] = useState("");
  const copy = (): void => {
    void navigator.clipboard.writeText(receiver.url).then(
      () => announce("Address copied"),
      () => undefined,
    );
  };
  return (
    <Panel title="Receiver">
      <div class="stack">
        {receiver.notes.length === 0 ? null : (
          <ul class="notes" aria-label="What stands in the way">
            {receiver.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <div class="receiver-url">
          <code data-testid="receiver-url">{receiver.url}</code>
          <Button onClick={copy}>Copy</Button>
        </div>
        <div class="receiver-fields">
          <Choice
            label="Answers on purpose"
            value={String(receiver.behaviour)}
            options={behaviours}
            onChange={(key) => {
              const chosen = behaviours.find((behaviour) => behaviour.key === key);
              if (chosen !== undefined) onChange({ behaviour: chosen.value });
            }}
          />
          <Field
            label="Forward to"
            type="url"
            placeholder="http://localhost:3000/hook"
            value={forward}
            onInput={setForward}
            onEnter={() => onChange({ forwardTo: forward })}
          />
          <Field
            label="Token that deliveries must carry"
            type="password"
            value={token}
            onInput={setToken}
            onEnter={() => onChange({ token })}
          />
          <Button
            onClick={() => onChange({ forwardTo: forward, ...(token !== "" && { token }) })}
            disabled={forward === (receiver.forwardTo ?? "") && token === ""}
          >
            Save
          </Button>
        </div>
      </div>
    </Panel>
  );
}
