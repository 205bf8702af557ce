import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { Connection, InterfaceReport, Problem } from "../../../contract/index.js";
import { api, problemOf } from "../../api/index.js";
import { Button, Chip, ErrorBox, Panel } from "../../ui/index.js";

/** Every interface of the card: why it was chosen or not, and what it really answered. */
export function InterfacesPanel({
  connection,
}: {
  readonly connection: Connection;
}): ComponentChild {
  const [probed, setProbed] = useState<{ of: string; interfaces: readonly InterfaceReport[] }>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const reports = probed?.of === connection.id ? probed.interfaces : connection.interfaces;
  const probe = (): void => {
    setBusy(true);
    setProblem(undefined);
    api
      .post<{ interfaces: readonly InterfaceReport[] }>(`connections/${connection.id}/probe`)
      .then(({ interfaces }) => setProbed({ of: connection.id, interfaces }))
      .catch((error: unknown) => setProblem(problemOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Panel
      title="Interfaces"
      flush
      tools={
        <Button onClick={probe} disabled={isBusy}>
          {isBusy ? "Calling…" : "Call each"}
        </Button>
      }
    >
      {problem === undefined ? null : <ErrorBox problem={problem} />}
      <ul class="plain">
        {reports.map((report, index) => (
          <li
            key={index}
            class="interface"
            data-testid="interface"
            data-chosen={report.isChosen ? "" : undefined}
          >
            <div>
              <Chip tone={report.isChosen ? "accent" : "neutral"} plain>
                {report.version ?? "?"} · {report.binding}
              </Chip>
            </div>
            <div>
              <p class="mono">{report.url}</p>
              <p>
                <span class="strong">{report.isChosen ? "Chosen. " : "Not chosen. "}</span>
                <span class="soft">{report.reason}</span>
              </p>
              {report.answered === undefined ? null : (
                <p>
                  <Chip tone={report.answered.isWorking ? "done" : "failed"}>
                    {report.answered.isWorking ? "Answers" : "Does not answer"}
                  </Chip>{" "}
                  <span class="soft">
                    {report.answered.detail} · {Math.round(report.answered.ms)} ms
                  </span>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
