/**
 * The heights of many rows, with their running sums: where a row begins, which row is at a place, and a corrected height
 * cost the logarithm of the number of rows. A Fenwick tree.
 */
export class Heights {
  #tree: Float64Array;
  #heights: Float64Array;
  #length = 0;
  #steps = 0;

  constructor(count: number = 0, estimate: (row: number) => number = () => 0) {
    const capacity = Math.max(64, 2 ** Math.ceil(Math.log2(count + 1)));
    this.#tree = new Float64Array(capacity + 1);
    this.#heights = new Float64Array(capacity);
    for (let row = 0; row < count; row += 1) this.push(estimate(row));
  }

  get length(): number {
    return this.#length;
  }

  /** How many numbers were read or written so far: what tests count instead of time. */
  get steps(): number {
    return this.#steps;
  }

  get total(): number {
    return this.offset(this.#length);
  }

  heightOf(row: number): number {
    return this.#heights[row] ?? 0;
  }

  /** Adds a row at the end. */
  push(height: number): void {
    if (this.#length === this.#heights.length) this.#grow();
    const index = this.#length + 1;
    this.#heights[this.#length] = height;
    // The node of a new row sums the rows below it, which are complete already.
    let sum = height;
    for (let below = index - 1; below > index - (index & -index); below -= below & -below) {
      sum += this.#tree[below] as number;
      this.#steps += 1;
    }
    this.#tree[index] = sum;
    this.#length += 1;
    this.#steps += 1;
  }

  /** Takes away the last rows. */
  truncate(length: number): void {
    this.#length = Math.max(0, Math.min(length, this.#length));
  }

  /** Corrects the height of a row, and returns by how much it changed. */
  set(row: number, height: number): number {
    const change = height - this.heightOf(row);
    if (change === 0 || row >= this.#length) return 0;
    this.#heights[row] = height;
    for (let index = row + 1; index <= this.#length; index += index & -index) {
      this.#tree[index] = (this.#tree[index] as number) + change;
      this.#steps += 1;
    }
    return change;
  }

  /** Where a row begins: the sum of all heights before it. */
  offset(row: number): number {
    let sum = 0;
    for (let index = Math.min(row, this.#length); index > 0; index -= index & -index) {
      sum += this.#tree[index] as number;
      this.#steps += 1;
    }
    return sum;
  }

  /** The row at a place; the last one beyond the end. */
  rowAt(place: number): number {
    let index = 0;
    let rest = place;
    for (let step = this.#tree.length - 1; step > 0; step >>= 1) {
      const next = index + step;
      if (next > this.#length) continue;
      const sum = this.#tree[next] as number;
      this.#steps += 1;
      if (sum > rest) continue;
      index = next;
      rest -= sum;
    }
    return Math.max(0, Math.min(index, this.#length - 1));
  }

  #grow(): void {
    const capacity = this.#heights.length * 2;
    const tree = new Float64Array(capacity + 1);
    tree.set(this.#tree);
    const heights = new Float64Array(capacity);
    heights.set(this.#heights);
    this.#tree = tree;
    this.#heights = heights;
  }
}
