import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Skeleton } from "../ui/index.js";

const most = 200;

/** Rows of a CSV file, the first as the head. */
export function CsvTable({ text }: { readonly text: string }): ComponentChild {
  const [rows, setRows] = useState<readonly (readonly string[])[]>();
  useEffect(() => {
    let isCurrent = true;
    void import("./csv-rows.js").then(({ csvRows }) => {
      if (isCurrent) setRows(csvRows(text, most + 1));
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  if (rows === undefined) return <Skeleton lines={3} />;
  const [head = [], ...body] = rows;
  const isNumber = head.map(
    (_, column) => body.length > 0 && body.every((row) => isNumeric(row[column])),
  );
  return (
    <div class="prose-table" tabIndex={0} role="group" aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} class={isNumber[column] === true ? "number" : undefined}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={isNumber[column] === true ? "number" : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {body.length >= most ? <p class="label">The first {most} rows</p> : null}
    </div>
  );
}

function isNumeric(cell: string | undefined): boolean {
  return (
    cell === undefined ||
    /^[^\p{L}]{0,3}[\d.,]+[^\p{L}]{0,2}(?: ?[\p{L}%]{1,3})?$/u.test(cell.trim())
  );
}
