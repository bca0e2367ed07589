import type { CommandEntry } from "./command.ts";

/** Everything `escriba` can do, in the order of its help. */
export const commands: CommandEntry[] = [
  { name: "api", summary: "Serve clients over HTTP", load: async () => (await import("./api.ts")).api },
  {
    name: "worker",
    summary: "Do the work of one or more task queues",
    load: async () => (await import("./worker.ts")).worker,
  },
  {
    name: "operator",
    summary: "Scale the WorkerPools of a Kubernetes cluster to what waits",
    load: async () => (await import("./operator.ts")).operator,
  },
  {
    name: "inference",
    summary: "Serve chat and embeddings from small models on this machine",
    load: async () => (await import("./inference.ts")).inference,
  },
  {
    name: "migrate",
    summary: "Bring the database to this version's tables, and make Temporal's namespace",
    load: async () => (await import("./admin/migrate.ts")).migrateCommand,
  },
  {
    name: "doctor",
    summary: "Look at everything that Escriba needs around it, and say what to do",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "crds apply",
    summary: "Bring the cluster's definition of WorkerPool to this version's",
    load: async () => (await import("./crds-apply.ts")).crdsApply,
  },
  {
    name: "org create",
    summary: "Create an organization",
    load: async () => (await import("./admin/org-create.ts")).orgCreate,
  },
  {
    name: "key create",
    summary: "Create an API key of an organization",
    load: async () => (await import("./admin/key-create.ts")).keyCreate,
  },
  {
    name: "key revoke",
    summary: "Revoke an API key",
    load: async () => (await import("./admin/key-revoke.ts")).keyRevoke,
  },
  {
    name: "credit add",
    summary: "Add to an organization's prepaid balance",
    load: async () => (await import("./admin/credit-add.ts")).creditAdd,
  },
  {
    name: "credit debit",
    summary: "Take back from an organization's prepaid balance",
    load: async () => (await import("./admin/credit-debit.ts")).creditDebit,
  },
  {
    name: "credit refund",
    summary: "Give back what a transcript or a call cost",
    load: async () => (await import("./admin/credit-refund.ts")).creditRefund,
  },
  {
    name: "usage",
    summary: "Print an organization's invoice of a month",
    load: async () => (await import("./admin/usage.ts")).usageCommand,
  },
  {
    name: "secrets rotate",
    summary: "Encrypt the secrets of webhooks with the first key of ESCRIBA_SECRETS_KEY",
    load: async () => (await import("./admin/secrets-rotate.ts")).secretsRotate,
  },
  {
    name: "roles calibrate",
    summary: "Find out whether the language model may say who is agent and who customer",
    load: async () => (await import("./roles-calibrate.ts")).rolesCalibrate,
  },
  {
    name: "operator replay",
    summary: "Decide again what the operator's log says it decided",
    load: async () => (await import("./operator-replay.ts")).operatorReplay,
  },
  {
    name: "models fetch",
    summary: "Fetch models into the cache and convert them",
    load: async () => (await import("./models.ts")).modelsFetch,
  },
  {
    name: "models wait",
    summary: "Wait until models are in the cache that another process fills",
    load: async () => (await import("./models-wait.ts")).modelsWait,
  },
];
