import type { WorkflowClientInterceptor } from "@temporalio/client";
import { defineSearchAttributeKey, TypedSearchAttributes } from "@temporalio/common";

/** Whose workflow it is, so that an administrator finds an organization's: `EscribaOrganization = '…'`. */
export const ORGANIZATION_ATTRIBUTE = "EscribaOrganization";
/** Its type in Temporal's IndexedValueType. */
export const KEYWORD = 2;

const KEY = defineSearchAttributeKey(ORGANIZATION_ATTRIBUTE, "KEYWORD");

/** Puts it on every workflow started. Only for namespaces that know it: others refuse the start. */
export const organizationAttribute: WorkflowClientInterceptor = {
  start(input, next) {
    const { organizationId } = (input.options.args?.[0] ?? {}) as { organizationId?: string };
    if (organizationId === undefined) return next(input);
    const typedSearchAttributes = new TypedSearchAttributes([{ key: KEY, value: organizationId }]);
    return next({ ...input, options: { ...input.options, typedSearchAttributes } });
  },
};
