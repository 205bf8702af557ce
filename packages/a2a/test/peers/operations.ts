/** What is tried with every peer, over every binding and version that it has. */
export const operations = [
  "card",
  "send",
  "stream",
  "cut stream",
  "get",
  "list",
  "cancel",
  "subscribe",
  "push",
  "files",
  "multi-turn",
  "task not found",
  "not cancelable",
  "unsupported",
  "invalid params",
] as const;

export type Operation = (typeof operations)[number];
