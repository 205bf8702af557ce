/** The extension of the server, which has the methods `acme/quote` and `Quote`. */
export const fuzzExtension = "urn:example:fuzz:v1";
