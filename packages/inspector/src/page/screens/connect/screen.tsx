import type { ComponentChild } from "preact";
import { connection, connectionProblem, connectionStatus } from "../../state/connection.js";
import { EmptyState, ErrorBox, PaneHead, Skeleton } from "../../ui/index.js";
import { CardPanel } from "./card-panel.js";
import { ConnectForm } from "./connect-form.js";
import { CredentialsPanel } from "./credentials-panel.js";
import { InterfacesPanel } from "./interfaces-panel.js";
import { LintPanel } from "./lint-panel.js";
import { SignaturePanel } from "./signature-panel.js";
import "./connect.css";

/** Which agent, what its card says, and what the wire does. */
export function Screen(): ComponentChild {
  const at = connection.value;
  const problem = connectionProblem.value;
  const status = connectionStatus.value;
  return (
    <>
      <PaneHead title="Connect" />
      <div class="pane-body">
        <div class="stack connect">
          <ConnectForm />
          {problem === undefined ? null : <ErrorBox problem={problem} />}
          {status === "connecting" ? <Skeleton lines={6} label="Reading the agent card" /> : null}
          {at === undefined && status === "idle" ? (
            <EmptyState title="Which agent?" command="parley inspect https://agent.example">
              Give the address of an agent or of its card. Any version of A2A, any binding.
            </EmptyState>
          ) : null}
          {at === undefined || status === "connecting" ? null : (
            <>
              <CardPanel connection={at} />
              <InterfacesPanel connection={at} />
              <LintPanel items={at.lint} />
              <SignaturePanel check={at.signature} />
              <CredentialsPanel connection={at} />
            </>
          )}
        </div>
      </div>
    </>
  );
}
