/** What a watched server tells: a file that it has loaded, or where it serves. */
export type WatchedMessage =
  { readonly file: string } | { readonly port: number; readonly grpcAddress?: string };
