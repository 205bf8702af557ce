/**
 * Loads what screens else load when they are first looked at. A recording is to be seen without a network, so nothing may be
 * left to be fetched.
 */
export async function preload(): Promise<void> {
  await Promise.allSettled([
    import("../task/screen.js"),
    import("../../content/csv-rows.js"),
    import("../../content/markdown-lexer.js"),
    import("../../wire/translate-hop.js"),
    import("../../../model/copy/copy-as.js"),
    import("../../../model/copy/share-link.js"),
    import("../../../model/task/session-logs.js"),
    import("diff"),
  ]);
}
