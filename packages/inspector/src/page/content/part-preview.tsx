import type { JsonValue, Part } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useMemo, useState } from "preact/hooks";
import { bytesOfPart, isText, mediaTypeOf } from "../../model/content/part-content.js";
import { api, problemOf } from "../api/index.js";
import { Button, ErrorBox, JsonView, SafeLink } from "../ui/index.js";
import type { Problem } from "../../contract/index.js";
import { BlobMedia } from "./blob-media.js";
import { CsvTable } from "./csv-table.js";
import { HexView } from "./hex-view.js";
import { LongText, Markdown } from "./markdown.js";

/** A part as people want to see it; what has no such form as bytes. */
export function PartPreview({
  part,
  isMarkdown = true,
}: {
  readonly part: Part;
  readonly isMarkdown?: boolean;
}): ComponentChild {
  const type = mediaTypeOf(part);
  if (part.data !== undefined) return <JsonView value={part.data} label="Data" foldBelow={3} />;
  if (part.url !== undefined) return <RemoteFile url={part.url} type={type} />;
  if (part.raw !== undefined && /^(?:image|audio)\//.test(type)) {
    return <BlobMedia part={part} type={type} />;
  }
  if (!isText(part)) return <HexView bytes={bytesOfPart(part)} />;
  return <TextContent part={part} type={type} isMarkdown={isMarkdown} />;
}

function TextContent(props: {
  readonly part: Part;
  readonly type: string;
  readonly isMarkdown: boolean;
}): ComponentChild {
  const { part, type, isMarkdown } = props;
  const text = useMemo(() => part.text ?? new TextDecoder().decode(bytesOfPart(part)), [part]);
  const json = useMemo(() => (/[/+]json$/.test(type) ? parse(text) : undefined), [text, type]);
  if (json !== undefined) return <JsonView value={json} label="JSON" foldBelow={3} />;
  if (type === "text/csv") return <CsvTable text={text} />;
  if (type === "text/html" || type === "application/xhtml+xml")
    return <HtmlOnRequest html={text} />;
  if (isMarkdown && (type === "text/markdown" || type === "text/plain" || type === "")) {
    return <Markdown text={text} />;
  }
  return <LongText text={text} />;
}

/** HTML of an agent, as text. On request it is shown in a frame without scripts, from an address that works once. */
function HtmlOnRequest({ html }: { readonly html: string }): ComponentChild {
  const [url, setUrl] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const open = (): void => {
    setProblem(undefined);
    api
      .post<{ url: string }>("previews", { html })
      .then((preview) => setUrl(new URL(preview.url, document.baseURI).href))
      .catch((error: unknown) => setProblem(problemOf(error)));
  };
  return (
    <div class="stack-tight">
      {url === undefined ? (
        <>
          <pre class="code" data-wrap tabIndex={0}>
            {html.slice(0, 20_000)}
          </pre>
          <div>
            <Button onClick={open}>Show it, without scripts</Button>
          </div>
        </>
      ) : (
        <iframe class="preview-frame" sandbox="" title="Preview of the agent's HTML" src={url} />
      )}
      {problem === undefined ? null : <ErrorBox problem={problem} />}
    </div>
  );
}

/** A file elsewhere. The page loads nothing from elsewhere: a person may open it. */
function RemoteFile({
  url,
  type,
}: {
  readonly url: string;
  readonly type: string;
}): ComponentChild {
  return (
    <p class="row">
      <span class="soft">{type.startsWith("image/") ? "Image" : "File"} at another address:</span>
      <SafeLink url={url}>{url.length > 200 ? `${url.slice(0, 200)}…` : url}</SafeLink>
    </p>
  );
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
