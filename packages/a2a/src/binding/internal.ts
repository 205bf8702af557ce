/** The half that all bindings share. */
export {};
