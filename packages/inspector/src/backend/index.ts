/**
 * The inspector: a page that shows any agent, any version, any task, and its backend. `createInspector` opens both on a
 * port of their own.
 */

export { createInspector } from "./create-inspector.js";
export type { Inspector } from "./create-inspector.js";
export type { InspectorOptions } from "./inspector-options.js";
export type { OpenInspector } from "./open-inspector.js";
