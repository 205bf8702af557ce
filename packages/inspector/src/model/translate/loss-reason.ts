import type { Dialect } from "@parley/a2a/wire";
import type { Loss } from "./losses.js";

/** What a version has no word for, by the member of the model. */
const missing: Readonly<Partial<Record<Dialect, Readonly<Record<string, string>>>>> = {
  "0.1": {
    messageId: "0.1 does not name messages.",
    extensions: "0.1 has no extensions.",
    referenceTaskIds: "0.1 cannot refer to other tasks.",
    taskId: "0.1 names the task beside the message, not in it.",
    contextId: "0.1 has sessions, which callers name.",
    artifactId: "0.1 counts artifacts; it does not name them.",
    returnImmediately: "0.1 decides by the method whether to wait.",
    acceptedOutputModes: "0.1 takes output modes beside the message.",
    mediaType: "0.1 gives media types to files only.",
    history: "0.1 tells the history of a task only where it is asked for it.",
    tenant: "0.1 has no tenants.",
    timestamp: "0.1 leaves the time of a status out here.",
    metadata: "0.1 has no metadata here.",
    append: "0.1 says it in another member.",
    message: "0.1 says no message here.",
    id: "0.1 has no place for it.",
  },
  "0.3": {
    tenant: "0.2 and 0.3 have no tenants.",
    mediaType: "0.2 and 0.3 give media types to files only.",
    filename: "0.2 and 0.3 give names to files only.",
  },
  "1.0": {
    headers: "1.0 has no headers for push notifications.",
    schemes: "1.0 names one scheme.",
  },
};

/** Why a version cannot say it. */
export function lossReason(dialect: Dialect, { path, became }: Loss): string {
  const name = path.findLast((key) => typeof key === "string") ?? "";
  const reason = missing[dialect]?.[String(name)];
  if (reason !== undefined) return reason;
  const version = dialect === "0.3" ? "0.2 and 0.3" : dialect;
  const where = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
  return became === undefined
    ? `${version} has no place for ${where.replace(/^\./, "")}.`
    : `${version} says ${where.replace(/^\./, "")} otherwise.`;
}
