import "../task/task.css";
import "./compare.css";
import type { ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Connection, Problem } from "../../../contract/index.js";
import { problemOf } from "../../api/index.js";
import { capabilities } from "../../state/capabilities.js";
import { connection } from "../../state/connection.js";
import {
  Button,
  Choice,
  EmptyState,
  ErrorBox,
  Field,
  PaneHead,
  Panel,
  Skeleton,
  VisibleName,
} from "../../ui/index.js";
import { route } from "../../router/route.js";
import { CardDiff } from "./card-diff.js";
import { ComparedTasks } from "./compared-tasks.js";
import { Results } from "./results.js";
import { askSide, connectSide, disconnectSide } from "./side.js";
import type { SideAnswer, SideChoice } from "./side.js";

type Pair<T> = readonly [T, T];

/**
 * Two agents, or one agent in two versions: what they say of themselves, and what they do with the same message. An
 * address with `left` and `right` names two tasks that were already run.
 */
export function Screen(): ComponentChild {
  const url = connection.value?.url ?? capabilities.value?.agents[0]?.url ?? "";
  const [choices, setChoices] = useState<Pair<SideChoice>>([
    { url, version: "1.0" },
    { url, version: "0.3" },
  ]);
  const [sides, setSides] = useState<Pair<Connection>>();
  const [text, setText] = useState("Hello");
  const [answers, setAnswers] = useState<Pair<SideAnswer>>();
  const [isBusy, setBusy] = useState<"" | "connecting" | "sending">("");
  const [problem, setProblem] = useState<Problem>();
  const open = useRef<Pair<Connection>>(undefined);
  useEffect(() => () => open.current?.forEach(disconnectSide), []);
  // The address of the agent comes a moment after the screen.
  useEffect(() => {
    setChoices(([left, right]) => [
      { ...left, url: left.url || url },
      { ...right, url: right.url || url },
    ]);
  }, [url]);
  const change = (side: 0 | 1, part: Partial<SideChoice>): void => {
    const next = { ...choices[side], ...part };
    setChoices(side === 0 ? [next, choices[1]] : [choices[0], next]);
    setSides(undefined);
    setAnswers(undefined);
  };
  const connect = async (): Promise<Pair<Connection>> => {
    if (sides !== undefined) return sides;
    open.current?.forEach(disconnectSide);
    const [left, right] = await Promise.all([connectSide(choices[0]), connectSide(choices[1])]);
    open.current = [left, right];
    setSides([left, right]);
    return [left, right];
  };
  const run = (what: "connecting" | "sending"): void => {
    setBusy(what);
    setProblem(undefined);
    const work = async (): Promise<void> => {
      const [left, right] = await connect();
      if (what === "sending") {
        setAnswers(await Promise.all([askSide(left, text), askSide(right, text)]));
      }
    };
    work()
      .catch((error: unknown) => setProblem(problemOf(error)))
      .finally(() => setBusy(""));
  };
  const { query } = route.value;
  const left = query.get("left") ?? "";
  const right = query.get("right") ?? "";
  // What was sent to both takes the place of the tasks that the address names.
  const areTasks = left !== "" && right !== "" && sides === undefined;
  const canSend = isBusy === "" && text !== "" && choices.every((choice) => choice.url !== "");
  return (
    <>
      <PaneHead title="Compare" />
      <div class="pane-body">
        <div class="compare stack">
          <div class="sides">
            <SideForm name="Left" choice={choices[0]} onChange={(part) => change(0, part)} />
            <SideForm name="Right" choice={choices[1]} onChange={(part) => change(1, part)} />
          </div>
          <div class="compare-send">
            <Field
              label="One message to both"
              value={text}
              onInput={setText}
              testId="compare-message"
              onEnter={() => canSend && run("sending")}
            />
            <Button
              kind="filled"
              disabled={!canSend}
              onClick={() => run("sending")}
              testId="compare-send"
            >
              {isBusy === "sending" ? "Waiting for both" : "Send to both"}
            </Button>
            <Button disabled={isBusy !== ""} onClick={() => run("connecting")}>
              Compare cards
            </Button>
          </div>
          {problem === undefined ? null : (
            <ErrorBox problem={problem} onRetry={() => run("connecting")} />
          )}
          {isBusy !== "" && sides === undefined ? <Skeleton label="Connecting to both" /> : null}
          {answers === undefined || sides === undefined ? null : (
            <Results
              answers={answers}
              heads={[<SideHead key={0} side={sides[0]} />, <SideHead key={1} side={sides[1]} />]}
            />
          )}
          {sides === undefined ? null : (
            <Panel title="Cards" flush={false}>
              <CardDiff sides={sides} />
            </Panel>
          )}
          {areTasks ? <ComparedTasks left={left} right={right} /> : null}
          {sides === undefined && isBusy === "" && problem === undefined && !areTasks ? (
            <EmptyState title="Two sides, one message">
              Name two agents, or one agent in two versions. Their cards, their events side by side,
              their times and their final tasks are compared, less ids and times.
            </EmptyState>
          ) : null}
        </div>
      </div>
    </>
  );
}

function SideHead({ side }: { readonly side: Connection }): ComponentChild {
  return (
    <>
      <VisibleName name={side.card.name} />{" "}
      <span class="soft">
        {side.version} · {side.binding}
      </span>
    </>
  );
}

function SideForm(props: {
  readonly name: string;
  readonly choice: SideChoice;
  readonly onChange: (part: Partial<SideChoice>) => void;
}): ComponentChild {
  const { name, choice, onChange } = props;
  const able = capabilities.value;
  const agents = able?.agents.flatMap(({ name: agent, url }) =>
    url === undefined ? [] : [{ key: url, label: agent }],
  );
  return (
    <fieldset class="side">
      <legend>{name}</legend>
      {able?.canConnect === true || agents === undefined ? (
        <Field label="Agent" type="url" value={choice.url} onInput={(url) => onChange({ url })} />
      ) : (
        <Choice
          label="Agent"
          value={choice.url}
          options={agents}
          onChange={(url) => onChange({ url })}
        />
      )}
      <Choice
        label="Called as"
        value={choice.version}
        options={[
          { key: "", label: "As the client chooses" },
          ...(able?.versions ?? []).map((version) => ({ key: version, label: version })),
        ]}
        onChange={(version) => onChange({ version })}
      />
    </fieldset>
  );
}
