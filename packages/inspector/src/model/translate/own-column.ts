import type { Hop } from "../../contract/index.js";
import type { Column } from "./columns.js";

/** The column in which a hop was on the wire. */
export function ownColumn({
  binding,
  dialect,
  version,
}: Pick<Hop, "binding" | "dialect" | "version">): Column {
  if (binding === "GRPC") return "gRPC";
  if (binding === "HTTP+JSON") return "REST";
  const spelling = dialect ?? version ?? "1.0";
  if (spelling.startsWith("0.1")) return "0.1";
  return spelling.startsWith("0.") ? "0.3" : "1.0";
}
