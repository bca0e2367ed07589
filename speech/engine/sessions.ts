import type { InferenceSession } from "onnxruntime-node";

/** Where the large part of a model runs: this machine's cores, or a CUDA device by its number. */
export type Device = "cpu" | `cuda:${number}`;

/**
 * Options of every session of the engine. `threads` is what one operator may use. Only encoders go to a `device`: a
 * decoder's step is small, and its caches would be copied to and fro with every token.
 */
export function sessionOptions(threads: number, device: Device = "cpu"): InferenceSession.SessionOptions {
  return {
    ...(device === "cpu" ? {} : { executionProviders: [cuda(device), "cpu"] }),
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
    // A memory pattern is remembered per input shape, and a decoder's shape changes with every token.
    enableMemPattern: false,
    // Threads that spin while they wait cost the other processes of the machine and gain nothing here (measured).
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  };
}

function cuda(device: Exclude<Device, "cpu">): InferenceSession.CudaExecutionProviderOption {
  return { name: "cuda", deviceId: Number(device.slice("cuda:".length)) };
}

/** What onnxruntime, CUDA and the C++ library say when there is no memory left; none of them has a code for it. */
const OUT_OF_MEMORY = /failed to allocate memory|out of memory|std::bad_alloc|CUBLAS_STATUS_ALLOC_FAILED/i;

/** True for the error of a run that wanted more memory than there is: worth another try with less at a time. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && OUT_OF_MEMORY.test(error.message);
}
