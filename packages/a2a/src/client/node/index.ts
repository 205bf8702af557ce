/**
 * What a client can do on node only: receive a user's browser on the loopback interface, keep tokens in
 * a file, present a certificate. Everything else of the client runs anywhere.
 */
export { certificateFetch } from "./certificate-fetch.js";
export type { CertificateFetch } from "./certificate-fetch.js";
export { createFileTokenStore } from "./file-token-store.js";
export { loopbackRedirect } from "./loopback-redirect.js";
export { openBrowser } from "./open-browser.js";
