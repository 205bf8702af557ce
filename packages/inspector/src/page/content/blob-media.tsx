import type { Part } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bytesOfPart } from "../../model/content/part-content.js";
import { visibleName } from "../ui/index.js";

/** An image or a sound that is in the message itself. A drawing (SVG) in an image element runs no script. */
export function BlobMedia({
  part,
  type,
}: {
  readonly part: Part;
  readonly type: string;
}): ComponentChild {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytesOfPart(part)], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [part, type]);
  if (url === undefined) return null;
  const name = visibleName(part.filename ?? type);
  if (type.startsWith("image/")) return <img class="preview-image" src={url} alt={name} />;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- What an agent sends has no captions.
    <audio class="preview-audio" controls src={url} aria-label={name} />
  );
}
