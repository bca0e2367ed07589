import { ApiError, type KubernetesApi } from "./api.ts";
import type { KubernetesObject } from "./objects.ts";
import type { Resource } from "./resources.ts";

export interface CallCounter {
  /** `code` is the HTTP status, or `none` when no whole answer came. */
  inc(labels: { verb: string; resource: string; code: string }): void;
}

/** The same API, with every call counted by verb, resource and outcome. */
export function counted(api: KubernetesApi, calls: CallCounter): KubernetesApi {
  const count = async <T>(verb: string, { plural }: Resource<KubernetesObject>, answer: Promise<T>): Promise<T> => {
    try {
      const result = await answer;
      calls.inc({ verb, resource: plural, code: "200" });
      return result;
    } catch (error) {
      calls.inc({ verb, resource: plural, code: codeOf(error) });
      throw error;
    }
  };
  return {
    list: (resource, scope) => count("list", resource, api.list(resource, scope)),
    async *watch(resource, scope, signal) {
      let code = "200";
      try {
        yield* api.watch(resource, scope, signal);
      } catch (error) {
        code = codeOf(error);
        throw error;
      } finally {
        calls.inc({ verb: "watch", resource: resource.plural, code });
      }
    },
    get: (resource, namespace, name) => count("get", resource, api.get(resource, namespace, name)),
    create: (resource, object, options) =>
      count(options?.dryRun ? "dry-run" : "create", resource, api.create(resource, object, options)),
    replace: (resource, object) => count("update", resource, api.replace(resource, object)),
    replaceStatus: (resource, object) => count("update-status", resource, api.replaceStatus(resource, object)),
    replaceScale: (resource, scale) => count("update-scale", resource, api.replaceScale(resource, scale)),
    patch: (resource, namespace, name, change) =>
      count("patch", resource, api.patch(resource, namespace, name, change)),
    delete: (resource, namespace, name, preconditions) =>
      count("delete", resource, api.delete(resource, namespace, name, preconditions)),
  };
}

function codeOf(error: unknown): string {
  return error instanceof ApiError ? String(error.code) : "none";
}
