import { describe, expect, it } from "vitest";
import { parseNetworks } from "./network-list.js";

describe("networks", () => {
  it.each(["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "10.0.0.0/8/8", "fd00::/129", "all"])(
    "are refused when they are none: %j",
    (network) => {
      expect(() => parseNetworks([network])).toThrow();
    },
  );
});
