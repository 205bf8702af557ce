import type { ComponentChild } from "preact";

const paths = {
  logo: "M3.5 3h10A2.500 2.500 0 0 1 16 5.500v4A2.500 2.500 0 0 1 13.500 12H8l-4 3.500V12h-.5A2.500 2.500 0 0 1 1 9.500v-4A2.500 2.500 0 0 1 3.500 3ZM18 7.500h2.500A2.500 2.500 0 0 1 23 10v5.500a2.500 2.500 0 0 1-2.500 2.500H20v3.500L16 18h-4.500A2.500 2.500 0 0 1 9 15.500V14h4.500a4.500 4.500 0 0 0 4.500-4.500Z",
  search: "M10.500 4a6.500 6.500 0 1 0 0 13a6.500 6.500 0 0 0 0-13ZM15.500 15.500 20 20",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM12 1v3M12 20v3M1 12h3M20 12h3M4.200 4.200l2.100 2.100M17.700 17.700l2.100 2.100M4.200 19.800l2.100-2.100M17.700 6.300l2.100-2.100",
  file: "M6 2h8l5 5v15H6ZM14 2v5h5",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  chevron: "M9 6l6 6-6 6",
  cut: "M2 12h6l2-4 2 8 1.500-4M17 12h5",
  send: "M4 12h15M13 6l6 6-6 6",
  copy: "M9 9h11v12H9ZM15 9V3H4v12h5",
  widen: "M3 5h18v14H3ZM9 5v14M15 5v14",
  narrow: "M3 5h18v14H3ZM14 5v14",
  wire: "M4 7h12l-3-3M20 17H8l3 3",
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside a word, or in a button that has a label. Screen readers skip it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ComponentChild {
  const isFilled = name === "logo";
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={isFilled ? "currentColor" : "none"}
      stroke={isFilled ? "none" : "currentColor"}
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
