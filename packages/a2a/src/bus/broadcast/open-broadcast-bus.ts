import { systemClock } from "../../async/internal.js";
import type { Bus } from "../bus.js";
import { Notices } from "../shared/notices.js";
import { createSharedBus } from "../shared/shared-bus.js";
import { BroadcastCarrier } from "./broadcast-carrier.js";
import type { BroadcastOptions } from "./broadcast-carrier.js";

/** What differs between buses that send everything through one channel. */
interface BroadcastBusParts extends Pick<BroadcastOptions, "open" | "deafness" | "isHopeless"> {
  readonly description: string;
  readonly report: ((notice: Error) => void) | undefined;
}

/** Opens a bus over a channel that everybody hears. Leaves nothing open when it rejects. */
export async function openBroadcastBus(parts: BroadcastBusParts): Promise<Bus> {
  const { description, report, ...channel } = parts;
  let carrier: BroadcastCarrier | undefined;
  const bus = createSharedBus({
    description,
    connect: (ears) =>
      (carrier = new BroadcastCarrier({
        ...channel,
        ears,
        clock: systemClock,
        notices: new Notices(description, report),
      })),
  });
  try {
    await carrier?.start();
  } catch (error) {
    await bus.close();
    throw error;
  }
  return bus;
}
