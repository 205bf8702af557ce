import type { Message } from "@parley/a2a";
import type { ArtifactView } from "../log/artifact-track.js";
import type { StateView } from "../log/state-view.js";
import { nameOfState } from "../log/states.js";
import { diffJson, textOfValue } from "./json-diff.js";
import type { Difference } from "./json-diff.js";

const artifactLimit = 200;
const messageLimit = 50;
const textLimit = 20_000;

/** What changed of a task between two moments, the earlier one first: state, messages, metadata, artifacts. */
export function diffStates(one: StateView, other: StateView): Difference[] {
  const [before, after] = one.position <= other.position ? [one, other] : [other, one];
  return [
    ...stateDifference(before, after),
    ...diffJson(saidIn(before), saidIn(after), "status.message"),
    ...newMessages(before, after),
    ...diffJson(before.metadata ?? {}, after.metadata ?? {}, "metadata"),
    ...artifactDifferences(before, after),
  ];
}

function stateDifference(before: StateView, after: StateView): Difference[] {
  if (before.status.state === after.status.state) return [];
  return [
    {
      path: "status.state",
      kind: "changed",
      before: nameOfState(before.status.state),
      after: nameOfState(after.status.state),
    },
  ];
}

function newMessages(before: StateView, after: StateView): Difference[] {
  const from = before.historyLength;
  return after.history(from, from + messageLimit).map((message, index) => ({
    path: `history[${from + index}]`,
    kind: "added" as const,
    after: textOfMessage(message),
  }));
}

function saidIn({ status }: StateView): string | undefined {
  return status.message && textOfMessage(status.message);
}

function textOfMessage({ parts }: Message): string {
  return parts.map((part) => part.text ?? textOfValue(part)).join("\n");
}

function artifactDifferences(before: StateView, after: StateView): Difference[] {
  return after.artifacts(artifactLimit).flatMap((artifact, index) => {
    const path = `artifacts[${index}]`;
    const earlier = before.artifact(index);
    if (earlier === undefined) {
      return [{ path, kind: "added" as const, after: contentOf(artifact) }];
    }
    return [
      ...diffJson(earlier.header, artifact.header, path),
      ...contentDifference(path, earlier, artifact),
    ];
  });
}

function contentDifference(path: string, before: ArtifactView, after: ArtifactView): Difference[] {
  if (before.isSameAs(after)) return [];
  // Nothing to compare: the artifact has only grown, and what came is known.
  const added = after.partsAfter(before);
  if (added !== undefined) {
    return [{ path: `${path}.parts`, kind: "grown", after: textOfParts(added) }];
  }
  return [
    {
      path: `${path}.parts`,
      kind: "changed",
      before: contentOf(before),
      after: contentOf(after),
    },
  ];
}

function contentOf(artifact: ArtifactView): string {
  return textOfParts(artifact.parts(0, 2000));
}

function textOfParts(parts: ReturnType<ArtifactView["parts"]>): string {
  let text = "";
  for (const part of parts) {
    text += part.text ?? textOfValue(part);
    if (text.length > textLimit) return `${text.slice(0, textLimit)}…`;
  }
  return text;
}
