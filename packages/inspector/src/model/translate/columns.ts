/** The spellings that stand beside each other, newest first. 0.2 and 0.3 are one dialect. */
export const columns = ["1.0", "0.3", "0.1", "REST", "gRPC"] as const;

export type Column = (typeof columns)[number];
