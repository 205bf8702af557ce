import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { Hop, Problem, RawRequest } from "../../contract/index.js";
import { api, problemOf } from "../api/index.js";
import { setQuery } from "../router/route.js";
import { Button, ErrorBox, Field } from "../ui/index.js";

/** A request, to be changed and sent again: to the connection's own origin only. */
export function EditRequest({
  hop,
  onDone,
}: {
  readonly hop: Hop;
  readonly onDone: () => void;
}): ComponentChild {
  const [method, setMethod] = useState(hop.method);
  const [url, setUrl] = useState(hop.url);
  const [headers, setHeaders] = useState(
    hop.requestHeaders.map(([name, value]) => `${name}: ${value}`).join("\n"),
  );
  const [body, setBody] = useState(() => pretty(hop.requestBody ?? ""));
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const send = (): void => {
    const request: RawRequest & { readonly resentFrom: number } = {
      method,
      url,
      headers: readHeaders(headers),
      ...(body === "" ? {} : { body }),
      resentFrom: hop.id,
    };
    setBusy(true);
    setProblem(undefined);
    api
      .post<{ hop: number }>(`connections/${hop.connection}/raw`, request)
      .then(({ hop: made }) => {
        setQuery({ hop: String(made) });
        onDone();
      })
      .catch((error: unknown) => setProblem(problemOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <div class="pane-body stack" data-testid="edit-request">
      <div class="connect-line">
        <Field label="Method" value={method} onInput={setMethod} mono />
        <Field label="URL" value={url} onInput={setUrl} mono />
      </div>
      <Field
        label="Headers"
        value={headers}
        onInput={setHeaders}
        rows={5}
        mono
        note="What is [redacted] is sent as the backend knows it."
      />
      <Field label="Body" value={body} onInput={setBody} rows={16} mono testId="edit-body" />
      {problem === undefined ? null : <ErrorBox problem={problem} />}
      <div class="toolbar">
        <Button kind="filled" onClick={send} disabled={isBusy} testId="resend">
          Send
        </Button>
        <Button onClick={onDone}>Leave it</Button>
      </div>
    </div>
  );
}

function readHeaders(text: string): RawRequest["headers"] {
  return text
    .split("\n")
    .filter((line) => line.includes(":"))
    .map((line) => [
      line.slice(0, line.indexOf(":")).trim(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
