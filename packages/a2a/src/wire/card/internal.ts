/** Signatures of cards. A door of its own: who verifies none does not load the package that does. */
export { signatureAlgorithms, verifyAgentCard } from "./card-signature.js";
export type {
  CardKey,
  CardVerification,
  SignatureAlgorithm,
  SignatureHeader,
} from "./card-signature.js";
