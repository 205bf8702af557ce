import type { JsonValue } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { ChatArtifact } from "../../../model/chat/conversation.js";
import { mediaTypeOf, sizeOfPart } from "../../../model/content/part-content.js";
import { formatBytes, formatCount } from "../../../model/format.js";
import { LongText, Markdown } from "../../content/markdown.js";
import { PartPreview } from "../../content/part-preview.js";
import { conversationsVersion } from "../../state/conversations.js";
import { Icon, JsonView, Tabs, VisibleName } from "../../ui/index.js";
import { Speaker } from "./entry-view.js";

type View = "preview" | "parts" | "raw";

const views = [
  { key: "preview", label: "Preview" },
  { key: "parts", label: "Parts" },
  { key: "raw", label: "Raw" },
] as const;

/** Parts that a list shows one by one. */
const most = 50;

/** What a task has made: as it is meant, its parts, and as it came. Streamed text reads like a message. */
export function ArtifactView({
  artifact,
  at,
}: {
  readonly artifact: ChatArtifact;
  readonly at: number;
}): ComponentChild {
  void conversationsVersion.value;
  const [view, setView] = useState<View>("preview");
  const { parts, text, chunks } = artifact;
  const { name, artifactId } = artifact.artifact;
  const isText = parts.every(
    (part) => part.text !== undefined && mediaTypeOf(part) === "text/plain",
  );
  const size = isText ? text.length : parts.reduce((sum, part) => sum + sizeOfPart(part), 0);
  const filename =
    name ?? parts.find((part) => part.filename !== undefined)?.filename ?? artifactId;
  const detail = [
    ...(chunks > 1 ? [`${formatCount(chunks)} chunks`] : []),
    ...(size > 0 ? [formatBytes(size)] : []),
  ].join(" · ");
  const tabs = <Tabs label={`Show ${filename}`} tabs={views} selected={view} onSelect={setView} />;
  const body = <ArtifactBody artifact={artifact} view={view} isText={isText} />;
  if (isText && name === undefined) {
    return (
      <article class="said said-artifact" data-testid="artifact" data-artifact-id={artifactId}>
        <div class="row">
          <Speaker at={at} note={detail} />
          <div class="push-right said-views">{tabs}</div>
        </div>
        {body}
      </article>
    );
  }
  return (
    <section class="panel artifact" data-testid="artifact" data-artifact-id={artifactId}>
      <div class="panel-head">
        <Icon name="file" />
        <span class="strong cut">
          <VisibleName name={filename} />
        </span>
        <span class="soft">{detail}</span>
        <div class="push-right">{tabs}</div>
      </div>
      <div class="panel-body artifact-body">{body}</div>
    </section>
  );
}

function ArtifactBody(props: {
  readonly artifact: ChatArtifact;
  readonly view: View;
  readonly isText: boolean;
}): ComponentChild {
  void conversationsVersion.value;
  const { artifact, view, isText } = props;
  const { parts, text } = artifact;
  if (view === "raw") {
    const whole = { ...artifact.artifact, parts: parts.slice(0, most) };
    return (
      <JsonView
        value={whole as unknown as JsonValue}
        label="The artifact as it came"
        foldBelow={4}
      />
    );
  }
  if (view === "preview" && isText) {
    return artifact.isComplete || text.length < 20_000 ? (
      <Markdown text={text} />
    ) : (
      <LongText text={text} />
    );
  }
  return (
    <div class="stack-tight">
      {parts.slice(0, most).map((part, index) => (
        <div key={index}>
          {view === "parts" || parts.length > 1 ? (
            <p class="label">
              {index + 1} · {Object.keys(part)[0]} · {mediaTypeOf(part) || "no media type"}
              {part.filename === undefined ? null : (
                <>
                  {" · "}
                  <VisibleName name={part.filename} />
                </>
              )}
              {sizeOfPart(part) > 0 ? ` · ${formatBytes(sizeOfPart(part))}` : ""}
            </p>
          ) : null}
          <PartPreview part={part} isMarkdown={view === "preview"} />
        </div>
      ))}
      {parts.length > most ? (
        <p class="label">and {formatCount(parts.length - most)} more parts</p>
      ) : null}
    </div>
  );
}
