/** A checkpoint's tensors, whatever file they came from; row-major, linear weights [outputs, inputs]. */
export interface Weights {
  /** Reads one tensor as 32-bit floats; throws ModelError when the checkpoint lacks it or its size is not `dims`. */
  read(name: string, dims: readonly number[]): Float32Array;
  /** Closes the files behind it. */
  close(): void;
}
