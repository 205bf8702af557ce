/**
 * Telemetry over OpenTelemetry. Needs the package `@opentelemetry/api`; the program brings the SDK and the exporters.
 */
export { createOtelTelemetry } from "./create-otel-telemetry.js";
export type { OtelOptions } from "./create-otel-telemetry.js";
