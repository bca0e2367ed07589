/** What Temporal finds in the bundle: each export is a workflow, by the name that workflows/names.ts gives it. */
export { deliver } from "./deliver.ts";
export { mail } from "./mail.ts";
export { transcribe } from "./transcribe.ts";
