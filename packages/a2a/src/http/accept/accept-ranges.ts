/** A media range of an `Accept` header, and how much the caller wants it: from 0, not at all, to 1. */
export interface AcceptRange {
  readonly type: string;
  readonly quality: number;
}

/** The media ranges of an `Accept` header, in their order. Several header lines are joined by commas already. */
export function acceptRanges(accept: string): readonly AcceptRange[] {
  return accept.split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((one) => one.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith("q="))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
}
