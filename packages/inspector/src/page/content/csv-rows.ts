import Papa from "papaparse";

/** The first rows of a CSV file. */
export function csvRows(text: string, limit: number): readonly (readonly string[])[] {
  return Papa.parse<string[]>(text.trimEnd(), { preview: limit }).data;
}
