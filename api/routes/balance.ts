import { readBalance as balanceOf } from "../../billing/credit.ts";
import { readOrganization } from "../../storage/organizations.ts";
import { ApiError } from "../errors/api-error.ts";
import { presentBalance } from "../presenters/balance.ts";
import { route } from "../route.ts";
import { balance } from "../schemas/identity.ts";

export const readBalance = route({
  operation: "readBalance",
  method: "GET",
  path: "/v1/balance",
  summary: "The prepaid balance. Not billed.",
  access: "usage:read",
  request: {},
  success: { status: 200, description: "Balance", body: balance },
  errors: [],
  async handle({ key }, { database, motion }) {
    await motion.charged(key.organizationId);
    const [held, organization] = await Promise.all([
      balanceOf(database, key.organizationId),
      readOrganization(database, key.organizationId),
    ]);
    if (!organization) throw new ApiError("internal_error");
    return { status: 200, body: presentBalance(held, organization) };
  },
});
