import { presentIdentity } from "../presenters/identity.ts";
import { route } from "../route.ts";
import { identity } from "../schemas/identity.ts";

export const readIdentity = route({
  operation: "readIdentity",
  method: "GET",
  path: "/v1/me",
  summary: "The organization and the key that is asking. Not billed.",
  access: "any key",
  request: {},
  success: { status: 200, description: "Organization and key", body: identity },
  errors: [],
  async handle({ key }) {
    return { status: 200, body: presentIdentity(key) };
  },
});
