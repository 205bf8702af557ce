import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import type { Hop } from "../../contract/index.js";
import { api } from "../api/index.js";
import { useShortcuts } from "../keyboard/shortcuts.js";
import { announce } from "../state/announce.js";
import { connection } from "../state/connection.js";
import { Menu } from "../ui/index.js";

/** Copies a hop as code, or the session as a link or a file. */
export function CopyMenu({ hop }: { readonly hop: Hop }): ComponentChild {
  const agent = connection.value?.url ?? new URL(hop.url).origin;
  const code = async (kind: "curl" | "parley" | "typescript"): Promise<string> => {
    const { copyAsCurl, copyAsParley, copyAsTypeScript } =
      await import("../../model/copy/copy-as.js");
    if (kind === "curl") return copyAsCurl(hop);
    if (kind === "typescript") return copyAsTypeScript(hop, agent);
    return copyAsParley(hop, agent) ?? copyAsCurl(hop);
  };
  const copy = (kind: "curl" | "parley" | "typescript"): void => {
    void code(kind)
      .then(put)
      .catch(() => announce("This hop cannot be copied so"));
  };
  const shortcuts = useMemo(
    () => [{ keys: "y", does: "Copy the hop as curl", run: () => copy("curl") }],
    [hop],
  );
  useShortcuts(shortcuts);
  return (
    <Menu
      label="Copy as"
      testId="copy-as"
      items={[
        { label: "curl", onChoose: () => copy("curl") },
        { label: "parley", onChoose: () => copy("parley") },
        { label: "TypeScript", onChoose: () => copy("typescript") },
        { label: "Link to this task", onChoose: () => void share(hop) },
        { label: "Recording (.parley.jsonl)", onChoose: () => void save(hop) },
      ]}
    />
  );
}

/** A link that holds the recording; where it is too long, the recording as a file. */
async function share(hop: Hop): Promise<void> {
  const text = await recordingOf(hop);
  const { packShare } = await import("../../model/copy/share-link.js");
  const packed = await packShare(text);
  if (packed === undefined) {
    announce("Too long for a link: saved as a file");
    download(text);
    return;
  }
  await put(`${location.origin}${location.pathname}#share=${packed}`);
}

async function save(hop: Hop): Promise<void> {
  download(await recordingOf(hop));
}

function recordingOf({ taskId }: Hop): Promise<string> {
  const query = taskId === undefined ? "" : `?task=${encodeURIComponent(taskId)}`;
  return api.text(`recording${query}`);
}

async function put(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announce("Copied");
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "session.parley.jsonl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
