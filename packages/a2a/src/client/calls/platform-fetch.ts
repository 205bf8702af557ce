import type { Fetch } from "../../http/internal.js";

/** The platform's fetch. On node.js `dispatched-fetch` takes its place, by the `imports` of the package. */
export const platformFetch: Fetch = (url, init) => fetch(url, init);
