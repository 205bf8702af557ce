import type { Artifact, Task, TaskStatus } from "../../protocol/internal.js";
import { artifactOf, taskOf, taskStatusOf } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { completeArtifact, completeStatus, forPeers } from "../members/missing-members.js";
import { decodeTaskState } from "../members/task-state.js";
import { decodeMessage } from "./message.js";
import { decodePart } from "./part.js";

export const decodeTaskStatus: Parser<TaskStatus> = taskStatusOf(decodeTaskState, decodeMessage);

export const decodeArtifact: Parser<Artifact> = forPeers(artifactOf(decodePart), completeArtifact);

export const decodeTask: Parser<Task> = forPeers(
  taskOf({ status: decodeTaskStatus, artifact: decodeArtifact, message: decodeMessage }),
  completeStatus,
);
