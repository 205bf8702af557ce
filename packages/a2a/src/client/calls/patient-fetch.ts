import { platformFetch } from "#platform-fetch";
import type { Fetch } from "../../http/internal.js";

/**
 * The fetch that the client uses when it is given none: the platform's, which on node waits for an answer for as long as it
 * takes. For a `fetch` of your own that records or changes requests.
 */
export const patientFetch: Fetch = (url, init) => platformFetch(url, init);
