import type { Message, Part } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import {
  formatBytes,
  formatCount,
  formatMoment,
  glance,
  textOfValue,
} from "../../../model/index.js";
import type { ArtifactView, StateView } from "../../../model/index.js";
import { PartPreview } from "../../content/part-preview.js";
import { Button, JsonView, StateBadge, VisibleName } from "../../ui/index.js";

/** More than anybody reads at once. What is shown costs the same in a task of any size. */
const tailLength = 800;
const artifactLimit = 20;
const messageLimit = 12;

/** The task as it was at an entry of its log. */
export function StatePane({ view }: { readonly view: StateView }): ComponentChild {
  const { status, metadata } = view;
  const firstMessage = Math.max(0, view.historyLength - messageLimit);
  return (
    <div class="state-pane stack">
      <div class="row" data-testid="state-at" data-state={status.state} data-seq={view.sequence}>
        <StateBadge state={status.state} />
        <span class="soft">as of {formatMoment(view.time)}</span>
        <code class="soft push-right" title="The id of the task">
          {view.taskId}
        </code>
      </div>
      {status.message === undefined ? null : <Said message={status.message} />}
      <Section title="Artifacts" count={view.artifactCount}>
        {view.artifacts(artifactLimit).map((artifact) => (
          <ArtifactBox key={artifact.artifactId} artifact={artifact} />
        ))}
        {view.artifactCount > artifactLimit ? (
          <p class="soft">and {formatCount(view.artifactCount - artifactLimit)} more</p>
        ) : null}
      </Section>
      <Section title="Messages" count={view.historyLength}>
        {firstMessage > 0 ? <p class="soft">{formatCount(firstMessage)} earlier ones</p> : null}
        {view.history(firstMessage).map((message, index) => (
          <Said key={firstMessage + index} message={message} />
        ))}
      </Section>
      {metadata === undefined || Object.keys(metadata).length === 0 ? null : (
        <Section title="Metadata" count={Object.keys(metadata).length}>
          <JsonView value={metadata} label="Metadata of the task" />
        </Section>
      )}
    </div>
  );
}

function Section(props: {
  readonly title: string;
  readonly count: number;
  readonly children: ComponentChild | ComponentChild[];
}): ComponentChild {
  return (
    <section class="stack-tight">
      <h3 class="label">
        {props.title} <span class="mono">{formatCount(props.count)}</span>
      </h3>
      {props.count === 0 ? <p class="soft">None yet.</p> : props.children}
    </section>
  );
}

function ArtifactBox({ artifact }: { readonly artifact: ArtifactView }): ComponentChild {
  const [isWhole, setWhole] = useState(false);
  const { name = artifact.artifactId } = artifact.header;
  // One part of a kind of its own is shown as what it is; a text that grows as text, from its end.
  const [only] = artifact.parts(0, 1);
  const isPlain = artifact.partCount !== 1 || only === undefined || isPlainText(only);
  const text = isPlain ? artifact.textTail(isWhole ? Infinity : tailLength) : "";
  const others = isPlain ? artifact.parts(0, 50).filter((part) => part.text === undefined) : [];
  const earlier = isPlain ? artifact.textLength - text.length : 0;
  return (
    <div class="artifact-box">
      <div class="artifact-head">
        <span class="strong cut">
          <VisibleName name={name} />
        </span>
        <span class="soft number">
          {artifact.chunks === 1 ? "" : `${formatCount(artifact.chunks)} chunks, `}
          {formatBytes(artifact.bytes)}
        </span>
      </div>
      {earlier > 0 ? (
        <p class="artifact-earlier">
          <Button kind="quiet" shape="text" onClick={() => setWhole(true)}>
            {formatCount(earlier)} earlier characters
          </Button>
        </p>
      ) : null}
      {text === "" ? null : (
        <div class="artifact-text" tabIndex={0} role="group" aria-label={`Text of ${name}`}>
          {text}
        </div>
      )}
      {isPlain ? null : <PartPreview part={only} />}
      {others.map((part, index) => (
        <PartPreview key={index} part={part} />
      ))}
    </div>
  );
}

function isPlainText({ text, mediaType = "text/plain" }: Part): boolean {
  return text !== undefined && mediaType === "text/plain";
}

function Said({ message }: { readonly message: Message }): ComponentChild {
  const isCaller = message.role === "ROLE_USER";
  const text = message.parts.map((part) => part.text ?? textOfValue(part.data ?? glance([part])));
  return (
    <div class="said" data-role={isCaller ? "caller" : "agent"}>
      <span class="said-who">{isCaller ? "Caller" : "Agent"}</span>
      <span class="said-text">{text.join("\n").slice(0, 4000)}</span>
    </div>
  );
}
