import type { JsonValue } from "@parley/a2a";
import { useEffect, useState } from "preact/hooks";
import { columns } from "../../model/translate/columns.js";
import type { Column } from "../../model/translate/columns.js";
import { ownColumn } from "../../model/translate/own-column.js";
import type { Translation } from "../../model/translate/translate.js";
import type { KnownHop } from "../state/hops.js";

/** What of a hop is shown. */
export type Subject =
  | { readonly kind: "request" }
  | { readonly kind: "response" }
  | { readonly kind: "frame"; readonly index: number };

/** A document in a column; as text where it is no JSON. */
export interface Translated {
  readonly translation?: Translation;
  readonly text?: string;
}

/** Translating more than this would hold up the page. It is shown as it was sent, in part. */
const largest = 1_000_000;

type ByColumn = Readonly<Partial<Record<Column, Translated>>>;

/** Translates a part of a hop into all columns. Its own column shows what was on the wire, byte by byte. */
export function useTranslations(known: KnownHop, subject: Subject | undefined): ByColumn {
  const [done, setDone] = useState<ByColumn>({});
  const { whole } = known;
  const index = subject?.kind === "frame" ? subject.index : -1;
  const frame = known.frames[index];
  useEffect(() => {
    if (whole === undefined || subject === undefined) {
      setDone({});
      return;
    }
    const text =
      subject.kind === "request"
        ? whole.requestBody
        : subject.kind === "response"
          ? whole.responseBody
          : frame?.data;
    const own = ownColumn(whole);
    const sent = { [own]: asSent(own, text) };
    if (text !== undefined && text.length > largest) {
      setDone(sent);
      return;
    }
    let isCurrent = true;
    // The codecs of all dialects are the largest piece of the page: they come with the first hop that is looked at.
    void import("./translate-hop.js").then(({ translateHop }) => {
      if (!isCurrent) return;
      const translations = translateHop(whole, subject.kind, frame);
      const others = columns.filter((column) => column !== own);
      setDone({
        ...Object.fromEntries(
          others.map((column) => [column, { translation: translations(column) }]),
        ),
        ...sent,
      });
    });
    setDone((before) => ({ ...before, ...sent }));
    return () => {
      isCurrent = false;
    };
  }, [whole, subject?.kind, index, frame]);
  return done;
}

function asSent(column: Column, text: string | undefined): Translated {
  if (text === undefined || text === "") return { text: "" };
  if (text.length > largest) return { text };
  try {
    const document = JSON.parse(text) as JsonValue;
    return { translation: { column, document, lost: new Set(), losses: [], reasons: [] } };
  } catch {
    return { text };
  }
}
