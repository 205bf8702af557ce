import type { ComponentChild } from "preact";
import type { Capabilities } from "../../contract/index.js";

export interface ScreenEntry {
  /** The first segment of its routes. */
  readonly route: string;
  readonly title: string;
  /** `g` and this letter go there. */
  readonly letter: string;
  /** What a mode cannot do is absent. */
  readonly isThere: (capabilities: Capabilities) => boolean;
  /** Whether the wire pane stands beside it. */
  readonly hasWire: boolean;
  /** Loads the screen. Each is a file of its own, `screens/NAME/screen.tsx`, that exports `Screen`. */
  readonly load: () => Promise<{ readonly Screen: () => ComponentChild }>;
}

/** Every screen, in the order of the navigation. */
export const screens: readonly ScreenEntry[] = [
  {
    route: "connect",
    title: "Connect",
    letter: "c",
    isThere: ({ canCall, mode }) => canCall || mode === "remote",
    hasWire: true,
    load: () => import("./connect/screen.js"),
  },
  {
    route: "skills",
    title: "Skills",
    letter: "s",
    isThere: ({ canCall }) => canCall,
    hasWire: true,
    load: () => import("./skills/screen.js"),
  },
  {
    route: "chat",
    title: "Chat",
    letter: "h",
    isThere: ({ canCall }) => canCall,
    hasWire: true,
    load: () => import("./chat/screen.js"),
  },
  {
    route: "tasks",
    title: "Tasks",
    letter: "t",
    isThere: () => true,
    hasWire: true,
    load: () => import("./task/screen.js"),
  },
  {
    route: "push",
    title: "Push",
    letter: "p",
    isThere: ({ canReceive }) => canReceive,
    hasWire: false,
    load: () => import("./push/screen.js"),
  },
  {
    route: "operate",
    title: "Operate",
    letter: "o",
    isThere: ({ canRead, mode }) => canRead && mode === "store",
    hasWire: false,
    load: () => import("./operate/screen.js"),
  },
  {
    route: "compare",
    title: "Compare",
    letter: "m",
    isThere: ({ canCall }) => canCall,
    hasWire: false,
    load: () => import("./compare/screen.js"),
  },
  {
    route: "file",
    title: "File",
    letter: "f",
    isThere: () => true,
    hasWire: true,
    load: () => import("./file/screen.js"),
  },
];
