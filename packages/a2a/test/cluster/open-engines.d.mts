import type { Bus } from "@parley/a2a/bus";
import type { Store } from "@parley/a2a/store";

export declare function openStore(
  place: string,
  report?: (error: unknown, about: string) => void,
): Promise<Store>;
export declare function openBus(place: string | undefined): Promise<Bus | undefined>;
