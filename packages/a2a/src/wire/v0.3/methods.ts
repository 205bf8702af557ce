export {
  slashMethodAliases as methodAliases,
  slashMethods as methods,
} from "../members/slash-methods.js";
