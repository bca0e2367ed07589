/** What a person can act on: a model cannot be had, or a file is not what it should be. */
export class ModelError extends Error {
  override name = "ModelError";
}
