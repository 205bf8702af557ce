/** Looking at an agent from outside: where its card is, what is wrong with it. Shared with the command line. */

export { cardChecks } from "./card-checks/all.js";
export { cardProblems } from "./card-problems.js";
export type { CardCheck, Check, Visit, VisitOptions } from "./check.js";
export { fetchDocument, findDocuments, reasonOf } from "./find-documents.js";
export type { FetchedDocument, FindDocumentsOptions } from "./find-documents.js";
export { broken, ok, skipped, warn } from "./finding.js";
export type { Diagnosis, Finding, Verdict } from "./finding.js";
export { labelOf } from "./label-of.js";
export { missingMembers } from "./missing-members.js";
export { fetchOf } from "./target.js";
export type { Target } from "./target.js";
