/** The version of Parley, which a node tells the operators of its cluster. The same as in package.json. */
export const version = "0.1.0";
