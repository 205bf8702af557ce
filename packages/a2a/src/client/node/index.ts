/**
 * The part of the client that needs node: receives a user's browser on the loopback interface, keeps tokens in
 * a file, presents a certificate. The rest of the client runs anywhere.
 */
export { certificateFetch } from "./certificate-fetch.js";
export type { CertificateFetch, CertificateFetchOptions } from "./certificate-fetch.js";
export { createFileTokenStore } from "./file-token-store.js";
export { loopbackRedirect } from "./loopback-redirect.js";
export type { LoopbackRedirectOptions } from "./loopback-redirect.js";
export { openBrowser } from "./open-browser.js";
