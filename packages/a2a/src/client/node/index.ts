/**
 * What a client can do on node only: receive the user's browser on the loopback interface, keep tokens in a
 * file, present a client certificate, start quickly.
 */

export { certificateFetch } from "./certificate-fetch.js";
export type { CertificateFetch } from "./certificate-fetch.js";
export { createFileTokenStore } from "./file-token-store.js";
export { loopbackRedirect } from "./loopback-redirect.js";
export { openBrowser } from "./open-browser.js";
export { quickFetch } from "./quick-fetch.js";
