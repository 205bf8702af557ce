/** What authenticates calls, in one file so that it is loaded at once, and only when there is need. */
export { authorizedFetch } from "./authorized-fetch.js";
export { authorizedService } from "./authorized-service.js";
