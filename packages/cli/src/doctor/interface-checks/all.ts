import type { InterfaceCheck } from "../check.js";
import { authentication } from "./authentication.js";
import { extendedCard } from "./extended-card.js";
import { push } from "./push.js";
import { resume } from "./resume.js";
import { send } from "./send.js";
import { stream } from "./stream.js";
import { taskKept } from "./task-kept.js";
import { versionRefused } from "./version-refused.js";

/** The checks of an interface that answers, in the order in which they are made. */
export const interfaceChecks: readonly InterfaceCheck[] = [
  authentication,
  versionRefused,
  extendedCard,
  send,
  taskKept,
  stream,
  resume,
  push,
];
