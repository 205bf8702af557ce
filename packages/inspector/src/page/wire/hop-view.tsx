import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../contract/index.js";
import { formatBytes, formatCount, formatDuration } from "../../model/format.js";
import { columns } from "../../model/translate/columns.js";
import type { Column } from "../../model/translate/columns.js";
import { ownColumn } from "../../model/translate/own-column.js";
import { problemOf } from "../api/index.js";
import { loadHop } from "../state/hops.js";
import type { KnownHop } from "../state/hops.js";
import { ErrorBox, Mark, Skeleton, Tabs } from "../ui/index.js";
import { FrameList } from "./frame-list.js";
import { HeaderTable } from "./header-table.js";
import { pathOf, Status } from "./hop-list.js";
import { TranslationView } from "./translation-view.js";
import { useTranslations } from "./use-translations.js";
import type { Subject, Translated } from "./use-translations.js";

/** One hop: as it was sent, and in the other dialects. */
export function HopView({
  known,
  isWide,
}: {
  readonly known: KnownHop;
  readonly isWide: boolean;
}): ComponentChild {
  const { summary, whole } = known;
  const own = ownColumn(summary);
  const [column, setColumn] = useState<Column>(own);
  const [frame, setFrame] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (whole !== undefined) return;
    let isCurrent = true;
    loadHop(summary.id).catch((error: unknown) => isCurrent && setProblem(problemOf(error)));
    return () => {
      isCurrent = false;
    };
  }, [summary.id, whole === undefined]);
  const answer: Subject | undefined =
    frame !== undefined
      ? { kind: "frame", index: frame }
      : known.frames.length === 0
        ? { kind: "response" }
        : undefined;
  const request = useTranslations(known, { kind: "request" });
  const answered = useTranslations(known, answer);
  const picked = known.frames[frame ?? -1];
  return (
    <div class="pane-body wire-body" role="group" tabIndex={0} aria-label={`Hop ${summary.id}`}>
      <p class="wire-line">
        <span class="mono strong">{summary.method}</span>
        <span class="mono cut" title={summary.url}>
          {pathOf(summary.url)}
        </span>
        <Status status={summary.status} error={summary.error} />
        <span class="soft">{amounts(known)}</span>
      </p>
      {summary.error === undefined ? null : <p class="field-error">{summary.error}</p>}
      {problem === undefined ? null : (
        <ErrorBox problem={problem} onRetry={() => setProblem(undefined)} />
      )}
      {whole === undefined ? (
        <Skeleton lines={8} label="Loading the hop" />
      ) : isWide ? (
        <div class="columns">
          {columns.map((name) => (
            <div key={name} class="stack-tight">
              <h3>
                {title(name)} {name === own ? <span class="soft">as sent</span> : null}
              </h3>
              <TranslationView label="Request" translated={request[name]} column={name} />
              {answer === undefined ? null : (
                <TranslationView
                  label={answerLabel(answer)}
                  translated={answered[name]}
                  column={name}
                />
              )}
            </div>
          ))}
        </div>
      ) : (
        <Tabs
          label="Dialect"
          wide
          tabs={columns.map((key) => ({
            key,
            label: (
              <>
                {key}
                {isLossy(request[key]) || isLossy(answered[key]) ? <Mark tone="waiting" /> : null}
              </>
            ),
            title: key === own ? `${title(key)}, as it was sent` : title(key),
          }))}
          selected={column}
          onSelect={setColumn}
        >
          <div class="stack-tight">
            <TranslationView
              label={labelOf("Request", column, own)}
              translated={request[column]}
              column={column}
            />
            {answer === undefined ? null : (
              <TranslationView
                label={labelOf(answerLabel(answer), column, own)}
                translated={answered[column]}
                column={column}
              />
            )}
            {picked?.hex === undefined || column !== "gRPC" ? null : (
              <>
                <h3 class="label">Bytes</h3>
                <pre class="code" data-wrap>
                  {picked.hex.replaceAll(/(..)/g, "$1 ").slice(0, 6000)}
                </pre>
              </>
            )}
          </div>
        </Tabs>
      )}
      <FrameList known={known} selected={frame} onSelect={setFrame} />
      {whole === undefined ? null : (
        <>
          <HeaderTable title="Headers of the request" headers={whole.requestHeaders} />
          <HeaderTable title="Headers of the answer" headers={whole.responseHeaders ?? []} />
          {whole.isCut === true ? (
            <p class="label">The hop is too large to be kept whole.</p>
          ) : null}
        </>
      )}
    </div>
  );
}

function amounts({ summary, frames }: KnownHop): string {
  const { timing } = summary;
  const count = Math.max(summary.frameCount, frames.length);
  return [
    ...(count > 0
      ? [`${summary.binding === "GRPC" ? "gRPC" : "SSE"} · ${formatCount(count)} frames`]
      : []),
    ...(count === 0 && summary.bytes > 0 ? [formatBytes(summary.bytes)] : []),
    ...(timing.endedAt === undefined
      ? ["live"]
      : [formatDuration(timing.endedAt - timing.startedAt)]),
  ].join(" · ");
}

function title(column: Column): string {
  if (column === "REST" || column === "gRPC") return `1.0 ${column}`;
  return column === "0.3" ? "0.2 and 0.3 JSON-RPC" : `${column} JSON-RPC`;
}

function answerLabel(subject: Subject): string {
  return subject.kind === "frame" ? `Frame ${subject.index + 1}` : "Answer";
}

function labelOf(what: string, column: Column, own: Column): string {
  return column === own
    ? `${what}, as it was on the wire`
    : `${what}, sent as ${own}, shown as ${column}`;
}

function isLossy(translated: Translated | undefined): boolean {
  return translated?.translation !== undefined && translated.translation.reasons.length > 0;
}
